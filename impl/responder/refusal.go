package responder

import (
	"context"
	"encoding/hex"
	"log/slog"
)

// RefusalMessage is the message of the warning that every refusal logs (RSP-3).
const RefusalMessage = "Fetch response dropped at admission"

// Refusal is the record of one refused request (RSP-3). It is a value: it can
// be logged after later operations, from any goroutine.
type Refusal struct {
	Peer     Peer
	AsksBusy bool   // whether the request carried the capability
	Replied  Result // Busy or Silent
	Reason   Reason
	Limiter  Bound // what denied the busy reply that was asked for, else NoBound

	InUse     int // places taken overall, of Config.Pool
	PeerInUse int // places that the peer itself holds, of Config.PeerShare

	// The counts so far, this refusal included.
	RefusedPeerShare uint64
	RefusedPool      uint64
	SendPoolFull     uint64 // busy replies denied for want of a send permit
}

// Log writes the refusal as a warning to logger. It costs next to nothing if
// warnings are off.
func (f *Refusal) Log(ctx context.Context, logger *slog.Logger) {
	if !logger.Enabled(ctx, slog.LevelWarn) {
		return
	}
	logger.LogAttrs(
		ctx, slog.LevelWarn, RefusalMessage,
		slog.String("peer", hex.EncodeToString(f.Peer[:])),
		slog.String("reason", f.Reason.String()),
		slog.Bool("asked_busy", f.AsksBusy),
		slog.String("replied", f.Replied.String()),
		slog.String("limiter", f.Limiter.String()),
		slog.Int("slots_in_use", f.InUse),
		slog.Int("peer_slots_in_use", f.PeerInUse),
		slog.Uint64(nameRefusedPeerShare, f.RefusedPeerShare),
		slog.Uint64(nameRefusedPool, f.RefusedPool),
		slog.Uint64(nameSendPoolFull, f.SendPoolFull),
	)
}
