package ops

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseOp reads an operation as AppendText writes it.
func ParseOp(m Machine, line string) (Op, error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return Op{}, fmt.Errorf("no operation")
	}
	k := Kind(max(indexOf(kindNames[:], words[0]), 0))
	if k == Init || !k.On(m) {
		return Op{}, fmt.Errorf("unknown operation %q of the %s", clip(words[0]), m)
	}
	o := Op{Kind: k}
	args := argList{words: words[1:]}
	for _, f := range kindSpecs[k].fields {
		if err := o.parseField(f, &args); err != nil {
			return Op{}, fmt.Errorf("%s: %w", k, err)
		}
	}
	if len(args.words) > 0 {
		return Op{}, fmt.Errorf("%s: unexpected %q", k, clip(args.words[0]))
	}
	return o, nil
}

// argList takes arguments off a line: the positional ones in order, the named ones wherever they stand.
type argList struct{ words []string }

func (a *argList) positional(what string) (string, error) {
	if len(a.words) == 0 {
		return "", fmt.Errorf("%s is missing", what)
	}
	w := a.words[0]
	a.words = a.words[1:]
	return w, nil
}

func (a *argList) named(name string) (value string, has bool) {
	for i, w := range a.words {
		if v, ok := strings.CutPrefix(w, name); ok {
			a.words = append(a.words[:i:i], a.words[i+1:]...)
			return v, true
		}
	}
	return "", false
}

func (a *argList) flag(name string) bool {
	for i, w := range a.words {
		if w == name {
			a.words = append(a.words[:i:i], a.words[i+1:]...)
			return true
		}
	}
	return false
}

func (a *argList) required(name string) (string, error) {
	v, ok := a.named(name)
	if !ok {
		return "", fmt.Errorf("%s is missing", name)
	}
	return v, nil
}

func (o *Op) parseField(f field, args *argList) (err error) {
	var s string
	switch f {
	case fieldKey:
		if s, err = args.positional("key"); err == nil {
			o.Key, err = ParseKey(s)
		}
	case fieldDistance:
		if s, err = args.required("at="); err == nil {
			o.Distance, err = ParseDistance(s)
		}
	case fieldHints:
		if s, err = args.required("hints="); err == nil {
			o.Hints, err = parseHints(s)
		}
	case fieldSources:
		if s, err = args.required("from="); err == nil {
			o.Sources, err = parsePeers(s)
		}
	case fieldRef:
		if s, err = args.positional(kindSpecs[o.Kind].refKey); err == nil {
			o.Ref, err = parseRef(s)
		}
	case fieldReportPlace, fieldOutcomePlace:
		err = o.parsePlace(f, args)
	case fieldWait:
		o.Wait, err = parseDurationArg(args, "wait=")
	case fieldOutcome:
		if s, err = args.positional("outcome"); err == nil {
			var ok bool
			if o.Outcome, ok = ParseOutcome(s); !ok {
				err = fmt.Errorf("unknown outcome %q", clip(s))
			}
		}
	case fieldPeer:
		if s, err = args.positional("peer"); err == nil {
			o.Peer, err = ParsePeer(s)
		}
	case fieldAsksBusy:
		o.AsksBusy = args.flag("asks_busy")
	case fieldMaxAge:
		o.MaxAge, err = parseDurationArg(args, "max_age=")
	case fieldLimit:
		if s, err = args.required("limit="); err == nil {
			if o.Limit, err = strconv.ParseInt(s, 10, 64); err != nil {
				err = fmt.Errorf("limit=%s: want a whole number", clip(s))
			}
		}
	case fieldKeys:
		for len(args.words) > 0 && err == nil {
			var k Key
			s, _ = args.positional("key")
			k, err = ParseKey(s)
			o.Keys = append(o.Keys, k)
		}
	case fieldShow:
		for len(args.words) > 0 && err == nil {
			s, _ = args.positional("field")
			i := indexOf(fieldNames[:], s)
			if i < 0 {
				return fmt.Errorf("unknown state field %q", clip(s))
			}
			o.Show |= 1 << i
		}
	}
	return err
}

func (o *Op) parsePlace(f field, args *argList) error {
	if f == fieldReportPlace {
		o.PlaceArg = GivenPlace
	}
	if s, ok := args.named("place=#"); ok {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			return fmt.Errorf("place=#%s: want a whole number", clip(s))
		}
		o.PlaceArg, o.Place = ThisPlace, n
		return nil
	}
	if f == fieldOutcomePlace && args.flag("answered") {
		o.PlaceArg = GivenPlace
	}
	return nil
}

func parseDurationArg(args *argList, name string) (Duration, error) {
	s, err := args.required(name)
	if err != nil {
		return 0, err
	}
	n, err := parseNanos(s)
	return Duration(n), err
}

func parsePeers(s string) (peers []Peer, err error) {
	if s == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(s, ",") {
		p, err := ParsePeer(word)
		if err != nil {
			return nil, err
		}
		peers = append(peers, p)
	}
	return peers, nil
}

func parseHints(s string) (hints []Hint, err error) {
	if s == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(s, ",") {
		name, claimant := strings.CutSuffix(word, "!")
		p, err := ParsePeer(name)
		if err != nil {
			return nil, err
		}
		hints = append(hints, Hint{p, claimant})
	}
	return hints, nil
}

func parseRef(s string) (r Ref, err error) {
	if digits, ok := strings.CutPrefix(s, "#"); ok {
		if r.N, err = strconv.ParseUint(digits, 10, 64); err != nil {
			return r, fmt.Errorf("number %q: want # and a whole number", clip(s))
		}
		return r, nil
	}
	name, back, has := strings.Cut(s, "~")
	if has {
		n, err := strconv.ParseUint(back, 10, 16)
		if err != nil {
			return r, fmt.Errorf("reference %q: want a number of 0 to 65535 after ~", clip(s))
		}
		r.Back = uint16(n)
	}
	r.Of, err = parseID(name)
	return r, err
}
