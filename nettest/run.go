package nettest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"fetchproof/impl/node"
	"fetchproof/impl/node/trust"
	"fetchproof/impl/scheduler"
	"fetchproof/props/trace"
)

// HolderResult is what happened at one holder.
type HolderResult struct {
	Charges      uint64 `json:"charges"`        // by all requesters
	Charging     int    `json:"charging"`       // requesters that charged it
	MostInFlight int    `json:"most_in_flight"` // of any one requester
	Served       uint64 `json:"served"`         // records it sent
	// MostPlaces and MostPlacesOfPeer are the most places it had taken at once, in all and by one peer.
	MostPlaces       int       `json:"most_places"`
	MostPlacesOfPeer int       `json:"most_places_of_peer"`
	Scores           []float64 `json:"-"` // its trust at each requester
}

// Result is what came of a scenario under one policy.
type Result struct {
	Scenario string        `json:"scenario"`
	Policy   string        `json:"policy"`
	Keys     int           `json:"keys"`
	Stored   int           `json:"stored"`
	Bytes    uint64        `json:"stored_bytes"`
	Drained  time.Duration `json:"drained"` // until every key was stored or had left
	Attempts uint64        `json:"attempts"`

	RefusedPeerShare uint64         `json:"refused_peer_share"`
	RefusedPool      uint64         `json:"refused_pool"`
	BusyReplies      uint64         `json:"busy_replies"`
	Holders          []HolderResult `json:"holders"`

	MostInFlight int                                `json:"most_in_flight"` // of any one requester
	Waves        []int                              `json:"-"`              // of the first requester
	Charges      map[scheduler.Charge]uint64        `json:"-"`
	Outcomes     map[scheduler.OutcomeKind]uint64   `json:"-"`
	Accepted     int                                `json:"accepted"` // operations in the traces, all accepted by the model
	Traces       map[string][]byte                  `json:"-"`
	Stats        []node.Stats                       `json:"-"` // of the requesters
	Ledgers      []map[scheduler.Peer]trust.Account `json:"-"`
}

// Execute runs a scenario once, on a network that it closes. The error says what could not be done, which trace the model
// rejects, or that the limit passed.
func Execute(ctx context.Context, s Scenario, policy string, network Network, log *slog.Logger) (*Result, error) {
	if err := s.check(); err != nil {
		return nil, errors.Join(err, network.Close())
	}
	f, err := build(&s, policy, network, log)
	if err != nil {
		return nil, err
	}
	f.plan()
	took, err := f.wait(ctx)
	if err = errors.Join(err, f.close()); err != nil {
		err = fmt.Errorf("%s, %s: %w", s.Name, policy, err)
	}
	r := f.result(policy, took)
	return r, errors.Join(err, r.judge(f))
}

// Options say how scenarios are run.
type Options struct {
	// Real runs over UDP on the loopback interface in real time. Latency, jitter and loss are then what they are, and
	// nobody can leave.
	Real bool
	// Log is where the nodes log; nil is nowhere.
	Log *slog.Logger
}

// Run runs a scenario under each of its policies and writes the table.
func Run(ctx context.Context, s Scenario, o Options, w io.Writer) ([]*Result, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var results []*Result
	for _, p := range s.Policies {
		r, err := runOnce(ctx, s, p, o)
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, WriteTable(w, results)
}

func runOnce(ctx context.Context, s Scenario, policy string, o Options) (r *Result, err error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Real {
		return Execute(ctx, s, policy, Loopback{}, o.Log)
	}
	err = Virtual(func() (err error) {
		// A context from outside cannot be waited for under virtual time; it is looked at between runs.
		r, err = Execute(context.Background(), s, policy, s.simulated(), o.Log)
		return err
	})
	return r, errors.Join(err, ctx.Err())
}

func (s *Scenario) simulated() *Simulated {
	return NewSimulated(Link{Latency: time.Duration(s.Latency), Jitter: time.Duration(s.Jitter), Loss: s.Loss}, s.Seed)
}

// result collects what the nodes, which have ended, know.
func (f *fleet) result(policy string, took time.Duration) *Result {
	r := &Result{
		Scenario: f.s.Name, Policy: policy, Keys: len(f.wants), Drained: took,
		Charges: make(map[scheduler.Charge]uint64), Outcomes: make(map[scheduler.OutcomeKind]uint64),
		Holders: make([]HolderResult, len(f.holders)), Traces: make(map[string][]byte),
	}
	for _, w := range f.wants {
		if w.stored > 0 {
			r.Stored++
		}
	}
	for i, h := range f.wanting {
		r.requester(h, i == 0, f.holders)
	}
	for i, h := range f.holders {
		r.holder(h, &r.Holders[i])
	}
	return r
}

func (r *Result) requester(h *host, first bool, holders []*host) {
	st := h.node.Stats()
	r.Stats = append(r.Stats, st)
	r.Attempts += st.Scheduler.Counters.Started
	for kind, n := range st.Scheduler.Counters.Outcomes {
		r.Outcomes[scheduler.OutcomeKind(kind)] += n
	}
	if m, ok := h.node.Store().(interface{ Len() (int, int64) }); ok {
		_, bytes := m.Len()
		r.Bytes += uint64(bytes)
	}
	r.MostInFlight = max(r.MostInFlight, h.tally.peak)
	if first {
		r.Waves = h.tally.waves()
	}
	accounts := h.node.Ledger().Accounts()
	r.Ledgers = append(r.Ledgers, accounts)
	for i, x := range holders {
		of := &r.Holders[i]
		of.MostInFlight = max(of.MostInFlight, h.tally.most[scheduler.Peer(x.id)])
		a, charged := accounts[scheduler.Peer(x.id)]
		of.Scores = append(of.Scores, h.node.Ledger().Account(scheduler.Peer(x.id)).Score)
		if !charged {
			continue
		}
		of.Charges += a.Total()
		of.Charging++
		for kind, n := range a.Charges {
			r.Charges[scheduler.Charge(kind)] += n
		}
	}
}

func (r *Result) holder(h *host, of *HolderResult) {
	if h.node == nil {
		return
	}
	st := h.node.Stats().Serve
	of.Served, of.MostPlaces, of.MostPlacesOfPeer = st.Served, h.places.most, h.places.mostOfPeer
	r.RefusedPeerShare += st.Responder.RefusedPeerShare
	r.RefusedPool += st.Responder.RefusedPool
	r.BusyReplies += st.BusySent
}

// judge has the model look at every trace (WRK-5), and checks that nothing was stored twice.
func (r *Result) judge(f *fleet) error {
	var errs []error
	for i, list := range [][]*host{f.holders, f.wanting, f.idle, f.former} {
		for n, h := range list {
			if h.node == nil {
				continue
			}
			name := fmt.Sprintf("%s-%d", []string{"holder", "requester", "idle", "former-holder"}[i], n)
			errs = append(errs, r.accept(name+"-scheduler.jsonl", h.tally.Writer, &h.requests), r.accept(name+"-responder.jsonl", h.places.Writer, &h.serves))
		}
	}
	for k, w := range f.wants {
		if w.stored > 1 {
			errs = append(errs, fmt.Errorf("nettest: %x was stored %d times", k[:4], w.stored))
		}
	}
	return errors.Join(errs...)
}

func (r *Result) accept(name string, w *trace.Writer, b *bytes.Buffer) error {
	if err := w.Flush(); err != nil {
		return err
	}
	r.Traces[name] = b.Bytes()
	n, err := trace.Judge(name, bytes.NewReader(b.Bytes()))
	r.Accepted += n
	return err
}
