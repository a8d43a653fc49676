package ops

import (
	"strconv"
	"strings"
)

// AppendText writes the operation as a line of scenario text, without its time and without a newline.
func (o *Op) AppendText(dst []byte) []byte {
	if o.Kind == Init {
		return o.Config.appendText(dst)
	}
	dst = append(dst, o.Kind.String()...)
	for _, f := range kindSpecs[o.Kind].fields {
		dst = o.appendField(dst, f)
	}
	return dst
}

// String is the line of scenario text, with its time.
func (o *Op) String() string {
	var dst []byte
	if o.Kind.Timed() {
		dst = append(append(append(dst, '@'), o.Now.String()...), ' ')
	}
	return string(o.AppendText(dst))
}

func (o *Op) appendField(dst []byte, f field) []byte {
	named := func(name, value string) []byte { return append(append(append(dst, ' '), name...), value...) }
	switch f {
	case fieldKey:
		return named("", o.Key.String())
	case fieldDistance:
		return named("at=", o.Distance.String())
	case fieldHints:
		return named("hints=", joinHints(o.Hints))
	case fieldSources:
		return named("from=", joinPeers(o.Sources))
	case fieldRef:
		return named("", o.Ref.String())
	case fieldReportPlace, fieldOutcomePlace:
		switch {
		case o.PlaceArg == ThisPlace:
			return named("place=#", strconv.FormatUint(o.Place, 10))
		case o.PlaceArg == GivenPlace && f == fieldOutcomePlace:
			return named("answered", "")
		}
	case fieldWait:
		return named("wait=", o.Wait.String())
	case fieldOutcome:
		return named("", o.Outcome.String())
	case fieldPeer:
		return named("", o.Peer.String())
	case fieldAsksBusy:
		if o.AsksBusy {
			return named("asks_busy", "")
		}
	case fieldMaxAge:
		return named("max_age=", o.MaxAge.String())
	case fieldLimit:
		return named("limit=", strconv.FormatInt(o.Limit, 10))
	case fieldKeys:
		for _, k := range o.Keys {
			dst = append(append(dst, ' '), k.String()...)
		}
	case fieldShow:
		for i, name := range fieldNames {
			if o.Show&(1<<i) != 0 {
				dst = append(append(dst, ' '), name...)
			}
		}
	}
	return dst
}

func joinPeers(peers []Peer) string {
	words := make([]string, len(peers))
	for i, p := range peers {
		words[i] = p.String()
	}
	return strings.Join(words, ",")
}

func joinHints(hints []Hint) string {
	words := make([]string, len(hints))
	for i, h := range hints {
		words[i] = h.Peer.String()
		if h.Claimant {
			words[i] += "!"
		}
	}
	return strings.Join(words, ",")
}

// String writes the reference as scenario text does: #7, k1, or k1~1.
func (r Ref) String() string {
	if !r.Symbolic() {
		return "#" + strconv.FormatUint(r.N, 10)
	}
	s := formatID(r.Of)
	if r.Back > 0 {
		s += "~" + strconv.Itoa(int(r.Back))
	}
	return s
}
