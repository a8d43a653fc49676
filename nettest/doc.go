// Package nettest runs small networks of real nodes in one process: who holds what, who is silent, slow, lying, dead or
// flooded is a Scenario; what came of it is a Result. The nodes are those of impl/node, with real QUIC and signed messages,
// over a simulated network in virtual time, so that timeouts of 30 s take milliseconds, or over UDP on the loopback
// interface. Every node records what it does, and the reference model judges every trace.
package nettest
