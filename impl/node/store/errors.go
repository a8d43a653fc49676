package store

import (
	"errors"
	"fmt"
	"syscall"
)

// wrap says what was being done, and tells a disk without room from other
// failures. It is nil for nil.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("store: %s: %w: %w", doing, ErrFull, err)
	}
	return fmt.Errorf("store: %s: %w", doing, err)
}
