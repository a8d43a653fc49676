package testworker

import "testing"

func TestFailure(t *testing.T) {
	for _, c := range []struct{ output, check, message string }{
		{"--- FAIL: TestA (0.00s)\n    a_test.go:3: got 1\nFAIL\n", "TestA", "a_test.go:3: got 1"},
		{"ok\n--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/sub (0.00s)\n        a_test.go:9: boom\n--- FAIL: TestB (0.0s)\n", "TestA/sub", "a_test.go:9: boom"},
		{"FAIL\n", "", "the tests failed and did not say which"},
	} {
		if f := failure([]byte(c.output)); f.Check != c.check || f.Message != c.message {
			t.Errorf("%q: got %+v", c.output, f)
		}
	}
}
