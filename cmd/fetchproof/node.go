package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"fetchproof/impl/node"
	"fetchproof/props/trace"
)

var nodeCommand = &command{
	name: "node", args: "[flags] [KEY...]",
	summary: "a node on its own: serves its records over QUIC, or fetches the keys from its peers and ends",
	run: func(ctx context.Context, c *call) (err error) {
		command := node.Command{Out: c.stdout, Log: slog.New(slog.NewTextHandler(c.stderr, nil))}
		c.flags.StringVar(&command.Listen, "listen", "127.0.0.1:0", "UDP `address`")
		c.flags.StringVar(&command.SeedFile, "identity", "", "`file` with the identity's seed, made if it is not there (default: a new identity)")
		c.flags.StringVar(&command.StoreDir, "store", "", "keep records in this `directory` (default: in memory)")
		c.flags.StringVar(&command.Policy, "policy", "", "before, share, busy or share-and-busy (default: the last)")
		record := c.flags.String("trace", "", "record every operation of the scheduler into this `file`, as JSON lines")
		c.flags.Func("peer", "a holder, as `ID@HOST:PORT`; may be given again, in preference order", func(s string) error {
			command.Peers = append(command.Peers, s)
			return nil
		})
		c.flags.Func("put", "a `file` to keep as a record; may be given again", func(s string) error {
			command.Put = append(command.Put, s)
			return nil
		})
		if err := c.parse(-1); err != nil {
			return err
		}
		command.Fetch = c.args
		if *record != "" {
			f, err := os.Create(*record)
			if err != nil {
				return err
			}
			w := trace.NewWriter(f)
			command.Requests = &trace.Requests{Writer: w}
			defer func() { err = errors.Join(err, w.Flush(), f.Close()) }()
		}
		if err := node.Main(ctx, command); errors.Is(err, node.ErrNotFetched) {
			return reported(ctx, c, err)
		} else if err != nil {
			return err
		}
		return nil
	},
}
