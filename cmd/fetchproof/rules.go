package main

import (
	"context"

	"fetchproof/props/gate"
)

var rulesCommand = &command{
	name: "rules", args: "[flags]",
	summary: "per rule: where the model applies it, what checks it, which mutants of it are caught, and what is missing",
	run: func(_ context.Context, c *call) error {
		asJSON := c.flags.Bool("json", false, "give the table as JSON")
		if err := c.parse(0); err != nil {
			return err
		}
		complete, err := gate.Rules(c.stdout, *asJSON)
		if err == nil && !complete {
			return errFailed
		}
		return err
	},
}
