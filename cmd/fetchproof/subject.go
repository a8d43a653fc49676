package main

import (
	"context"
	"os"

	"fetchproof/props/gate"
	"fetchproof/props/subject"
)

var subjectCommand = &command{
	name: "subject", args: "",
	summary: "serves the built-in implementation on standard input and output by docs/PROTOCOL.md",
	run: func(ctx context.Context, c *call) error {
		if err := c.parse(0); err != nil {
			return err
		}
		_, err := gate.Interruptible(ctx, func() (struct{}, error) {
			return struct{}{}, subject.Serve(os.Stdin, c.stdout, "fetchproof built-in", subject.BuiltinFactory)
		})
		return err
	},
}
