package main

import (
	"context"
	"os"

	"fetchproof/props/subject"
)

var subjectCommand = &command{
	name: "subject", args: "",
	summary: "serves the built-in implementation on standard input and output by docs/PROTOCOL.md",
	run: func(_ context.Context, c *call) error {
		if err := c.parse(0); err != nil {
			return err
		}
		return subject.Serve(os.Stdin, c.stdout, "fetchproof built-in", subject.BuiltinFactory)
	},
}
