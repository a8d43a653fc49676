// Package nettest runs small networks of real nodes in one process: a Scenario says which node holds what, and which is
// silent, slow, lying, dead or flooded; a Result says what came of it. The nodes are those of impl/node, with real QUIC and
// signed messages, over a simulated network in virtual time, so that timeouts of 30 s take milliseconds, or over UDP on the
// loopback interface. Every node records what it does, and the reference model judges every trace.
package nettest
