// Package transport carries signed messages between nodes over QUIC (WIR-8, WIR-9).
//
// A message is one unidirectional stream, whole and then closed. A response travels
// back over the connection that its request came by, and is matched with the
// request by the message id in its envelope, not by stream or connection. Between
// two nodes one connection is dialled and used again; either side may send on it.
//
// TLS keeps outsiders from reading and changing packets, and is no identity: each
// node has a certificate of its own making that nobody verifies. Who sent a message
// is proven by the ML-DSA-65 signature in its envelope, and nothing of a message
// whose sender is unproven is looked at, but for the message id that says which
// fetch its arrival concerns.
//
// Everything a peer can make this node hold is bounded (Config): connections, in
// all and of one host, streams of a connection, the size of a message, how long it
// takes to arrive, and the bytes of all messages that are arriving.
package transport
