package gate

import (
	"context"
	"errors"
)

// ErrInterrupted is a command that was told to stop before it was done. What it did not do shows nothing, so the result is
// neither held nor failed.
var ErrInterrupted = errors.New("interrupted")

// Interruptible returns what f does, or ErrInterrupted as soon as ctx ends: f may be waiting for standard input or a process,
// which nothing else ends, and is then left behind.
func Interruptible[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ErrInterrupted
	}
}

// interrupted is err, or ErrInterrupted if err only says that ctx has ended.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return ErrInterrupted
	}
	return err
}
