package main

import (
	"context"

	"fetchproof/props/gate"
)

var rulesCommand = &command{
	name: "rules", args: "[flags]",
	summary: "per rule: where the model applies it, and the properties and scenarios that cite it",
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
