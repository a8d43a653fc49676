package subject

import (
	"errors"
	"time"
)

// ProcessFactory starts the process that command names for every subject.
func ProcessFactory(command string, deadline time.Duration) Factory {
	return func() (Subject, error) { return nil, errors.New("processes cannot be driven yet") }
}
