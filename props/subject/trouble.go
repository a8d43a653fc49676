package subject

import (
	"fmt"
	"strings"
)

// TroubleKind is a way in which a process fails as a subject, whatever it says about the rules. Each is a failure of its own,
// so that shrinking never slides from one to another.
type TroubleKind uint8

const (
	Crash   TroubleKind = iota // it ended with answers due
	Hang                       // a line was not answered within the deadline
	Garbage                    // what it wrote is no JSON object, or no line at all
	Answer                     // a JSON object that is no answer to the operation
	Error                      // its own {"error": …} to a line that is right
	Refused                    // unsupported to an init: it does not have the machine
)

var troubleNames = [...]string{"crash", "hang", "garbage", "answer", "error", "refused"}

// String is the name of the kind, as properties carry it: subject/crash.
func (k TroubleKind) String() string { return troubleNames[k] }

// Trouble is the error of a subject that is a process.
type Trouble struct {
	Kind    TroubleKind
	Message string   // what happened, in a line
	Sent    []string // the last lines sent, the one that was being answered at the end
	Ahead   int      // lines sent after it
	Said    string   // the last of what the process wrote to standard error
}

// Error is the message.
func (t *Trouble) Error() string { return t.Message }

// A line as a person sees it has at most so many bytes: one that was sent fits one line of a screen, since the program that
// reproduces the failure has all of it.
const (
	sentClip = 120
	saidClip = 240
)

// Detail is the last lines sent and the subject's last words, for a person.
func (t *Trouble) Detail() string {
	var b strings.Builder
	for _, line := range t.Sent {
		fmt.Fprintf(&b, "sent      %s\n", clip(line, sentClip))
	}
	switch {
	case t.Ahead == 1:
		b.WriteString("          (and a line ahead of its answer)\n")
	case t.Ahead > 1:
		fmt.Fprintf(&b, "          (and %d lines ahead of its answer)\n", t.Ahead)
	}
	said := strings.TrimRight(t.Said, "\n")
	if said == "" {
		return b.String() + "stderr    nothing\n"
	}
	for line := range strings.SplitSeq(said, "\n") {
		fmt.Fprintf(&b, "stderr    %s\n", clip(line, saidClip))
	}
	return b.String()
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + fmt.Sprintf("… (%d bytes more)", len(s)-n)
}
