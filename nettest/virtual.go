package nettest

import (
	"fmt"
	"runtime/debug"
	"testing"
	"testing/synctest"
)

// Virtual runs f under virtual time: time passes when every goroutine that f started waits for it, and then at once. All
// of them must have ended when f returns. A panic of f is returned as an error.
//
// Within a test, synctest.Test does the same. Outside one there is no testing.T, and the zero one serves as long as it is
// not told that it failed, which this function sees to.
func Virtual(f func() error) (err error) {
	synctest.Test(new(testing.T), func(*testing.T) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("nettest: panic: %v\n%s", p, debug.Stack())
			}
		}()
		err = f()
	})
	return err
}
