package serve

import (
	"context"
	"sync"
)

// Gate holds admitted requests in front of the workers, so that a test decides how
// long their places are taken. It starts open. Shutdown passes a closed gate
// (LIV-5).
type Gate struct {
	mu   sync.Mutex
	open chan struct{} // closed while the gate is open
}

// NewGate makes an open gate.
func NewGate() *Gate {
	g := &Gate{open: make(chan struct{})}
	close(g.open)
	return g
}

// Close makes requests wait from now on.
func (g *Gate) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.open:
		g.open = make(chan struct{})
	default: // closed already
	}
}

// Open lets every waiting request go on.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.open: // open already
	default:
		close(g.open)
	}
}

// wait waits until the gate is open, or ctx ends, and reports which.
func (g *Gate) wait(ctx context.Context) bool {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	select {
	case <-open:
		return true
	case <-ctx.Done():
		return false
	}
}
