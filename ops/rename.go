package ops

// RenameKey replaces key from with key to wherever the operation names it.
func (o *Op) RenameKey(from, to Key) {
	if o.Key == from && o.names(fieldKey) {
		o.Key = to
	}
	for i := range o.Keys {
		if o.Keys[i] == from {
			o.Keys[i] = to
		}
	}
	if o.refIsKey() && o.Ref.Of == from {
		o.Ref.Of = to
	}
}

// RenamePeer replaces peer from with peer to wherever the operation names it.
func (o *Op) RenamePeer(from, to Peer) {
	if o.Peer == from && o.names(fieldPeer) {
		o.Peer = to
	}
	for i := range o.Hints {
		if o.Hints[i].Peer == from {
			o.Hints[i].Peer = to
		}
	}
	for i := range o.Sources {
		if o.Sources[i] == from {
			o.Sources[i] = to
		}
	}
	if o.refIsPeer() && o.Ref.Of == from {
		o.Ref.Of = to
	}
}

// EachKey calls f for every key that the operation names.
func (o *Op) EachKey(f func(Key)) {
	if o.names(fieldKey) {
		f(o.Key)
	}
	for _, k := range o.Keys {
		f(k)
	}
	if o.refIsKey() {
		f(o.Ref.Of)
	}
}

// EachPeer calls f for every peer that the operation names.
func (o *Op) EachPeer(f func(Peer)) {
	if o.names(fieldPeer) {
		f(o.Peer)
	}
	for _, h := range o.Hints {
		f(h.Peer)
	}
	for _, p := range o.Sources {
		f(p)
	}
	if o.refIsPeer() {
		f(o.Ref.Of)
	}
}

func (o *Op) names(f field) bool {
	for _, g := range kindSpecs[o.Kind].fields {
		if g == f {
			return true
		}
	}
	return false
}

func (o *Op) refIsKey() bool  { return o.Ref.Symbolic() && kindSpecs[o.Kind].refKey == "attempt" }
func (o *Op) refIsPeer() bool { return o.Ref.Symbolic() && kindSpecs[o.Kind].refKey != "attempt" }
