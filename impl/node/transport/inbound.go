package transport

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"

	"github.com/quic-go/quic-go"
)

var errTooMany = errors.New("transport: too many connections")

// inbound counts the connections that others dialled, from the first packet on, so
// that a flood of half-open ones is bounded too.
type inbound struct {
	cfg *Config

	mu    sync.Mutex
	all   int
	hosts map[netip.Addr]int
	most  int
	full  uint64 // refused for want of room
}

// admit is quic-go's hook for a new connection. ctx ends with the connection, or
// when its handshake fails.
func (i *inbound) admit(ctx context.Context, info *quic.ClientInfo) (context.Context, error) {
	host := hostOf(info.RemoteAddr)
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.all >= i.cfg.MaxInbound || i.hosts[host] >= i.cfg.MaxInboundPerHost {
		i.full++
		return nil, errTooMany
	}
	if i.hosts == nil {
		i.hosts = make(map[netip.Addr]int)
	}
	i.all++
	i.most = max(i.most, i.all)
	i.hosts[host]++
	context.AfterFunc(ctx, func() { i.leave(host) })
	return ctx, nil
}

func (i *inbound) leave(host netip.Addr) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.all--
	if i.hosts[host]--; i.hosts[host] == 0 {
		delete(i.hosts, host)
	}
}

// suspicious makes dialers prove their address once half of the room is taken, so
// that the count per host cannot be evaded, nor a host framed, with forged ones.
func (i *inbound) suspicious(net.Addr) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.all >= i.cfg.MaxInbound/2
}

// hostOf is the IP address of a remote address, the zero Addr if it has none.
func hostOf(a net.Addr) netip.Addr {
	if u, ok := a.(*net.UDPAddr); ok {
		return u.AddrPort().Addr().Unmap()
	}
	ap, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap()
}
