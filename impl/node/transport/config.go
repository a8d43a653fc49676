package transport

import (
	"fmt"
	"time"
)

// Config bounds what a transport holds. Every field is at least 1.
type Config struct {
	// MaxInbound is how many connections others may have dialled to this node.
	MaxInbound int
	// MaxInboundPerHost is how many of those may come from one IP address.
	MaxInboundPerHost int
	// MaxOutbound is how many connections this node dials and keeps. The one
	// unused for longest makes room for a new one.
	MaxOutbound int
	// MaxStreams is how many messages may be arriving on one connection.
	MaxStreams int64
	// MaxArriving is how many bytes of messages may be arriving on all
	// connections; a message that does not fit is dropped.
	MaxArriving int64
	// MessageTimeout is how long a message may take to arrive.
	MessageTimeout time.Duration
	// DialTimeout is how long a connection may take to be set up.
	DialTimeout time.Duration
	// IdleTimeout is how long a connection lives without a packet. It should be
	// longer than any answer is waited for, so that a peer that is only slow is
	// not taken for gone.
	IdleTimeout time.Duration
	// MaxPeers is how many peers' addresses are remembered.
	MaxPeers int
	// MaxKeys is how many unpacked public keys are remembered, 40 KiB each.
	MaxKeys int
}

// Defaults returns the configuration for production.
func Defaults() Config {
	return Config{
		MaxInbound: 1024, MaxInboundPerHost: 64, MaxOutbound: 512,
		MaxStreams: 64, MaxArriving: 256 << 20,
		MessageTimeout: 30 * time.Second, DialTimeout: 10 * time.Second, IdleTimeout: 60 * time.Second,
		MaxPeers: 1 << 16, MaxKeys: 512,
	}
}

// Validate says which field is below 1.
func (c Config) Validate() error {
	for _, f := range []struct {
		name  string
		value int64
	}{
		{"MaxInbound", int64(c.MaxInbound)},
		{"MaxInboundPerHost", int64(c.MaxInboundPerHost)},
		{"MaxOutbound", int64(c.MaxOutbound)},
		{"MaxStreams", c.MaxStreams},
		{"MaxArriving", c.MaxArriving},
		{"MessageTimeout", int64(c.MessageTimeout)},
		{"DialTimeout", int64(c.DialTimeout)},
		{"IdleTimeout", int64(c.IdleTimeout)},
		{"MaxPeers", int64(c.MaxPeers)},
		{"MaxKeys", int64(c.MaxKeys)},
	} {
		if f.value < 1 {
			return fmt.Errorf("transport: %s is %d, must be at least 1", f.name, f.value)
		}
	}
	return nil
}
