// Package transport carries signed messages between nodes over QUIC (WIR-8, WIR-9).
//
// A message is one unidirectional stream, whole and then closed. A response travels
// back over the connection that its request came by, and is matched with the
// request by the message id in its envelope, not by stream or connection. Between
// two nodes one connection is dialled and used again; either side may send on it.
//
// TLS keeps outsiders from reading and changing packets, and proves no identity:
// each node makes its own certificate, which nobody verifies. The ML-DSA-65
// signature in its envelope proves who sent a message. Until then nothing of a
// message is looked at except the message id, which says which fetch its arrival
// concerns.
//
// Everything a peer can make this node hold is bounded (Config): connections, in
// all and of one host, streams of a connection, the size of a message, how long it
// takes to arrive, and the bytes of all messages that are arriving.
package transport
