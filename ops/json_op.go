package ops

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Protocol is the version of the subject protocol.
const Protocol = 1

// AppendJSON writes the operation as a line of the subject protocol, without a newline. Symbolic references and places are
// written as files hold them; a subject is only ever sent resolved operations.
func (o *Op) AppendJSON(dst []byte) ([]byte, error) {
	line, err := o.line()
	if err != nil {
		return dst, err
	}
	return appendLine(dst, line)
}

func appendLine(dst []byte, line any) ([]byte, error) {
	b, err := json.Marshal(line)
	return append(dst, b...), err
}

func (o *Op) line() (*jsonLine, error) {
	l := &jsonLine{Op: &kindNames[o.Kind]}
	if o.Kind.Timed() {
		l.Now = &o.Now
	}
	for _, f := range kindSpecs[o.Kind].fields {
		if err := o.setLine(l, f); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (o *Op) setLine(l *jsonLine, f field) (err error) {
	switch f {
	case fieldKey:
		l.Key = (*hexID)(&o.Key)
	case fieldDistance:
		l.Distance = (*hexID)(&o.Distance)
	case fieldHints:
		hints := make([]jsonHint, len(o.Hints))
		for i := range o.Hints {
			hints[i] = jsonHint{(*hexID)(&o.Hints[i].Peer), &o.Hints[i].Claimant}
		}
		l.Hints = &hints
	case fieldSources:
		l.Sources = hexPeers(o.Sources)
	case fieldRef:
		switch kindSpecs[o.Kind].refKey {
		case "attempt":
			l.Attempt = (*jsonRef)(&o.Ref)
		case "ticket":
			l.Ticket = (*jsonRef)(&o.Ref)
		default:
			l.Send = (*jsonRef)(&o.Ref)
		}
	case fieldReportPlace, fieldOutcomePlace:
		if o.PlaceArg != NoPlace {
			l.Place = &jsonPlace{o.PlaceArg, o.Place}
		}
	case fieldWait:
		l.Wait = &o.Wait
	case fieldOutcome:
		name := o.Outcome.String()
		l.Kind = &name
	case fieldPeer:
		l.Peer = (*hexID)(&o.Peer)
	case fieldAsksBusy:
		l.AsksBusy = &o.AsksBusy
	case fieldMaxAge:
		l.MaxAge = &o.MaxAge
	case fieldLimit:
		l.Limit = &o.Limit
	case fieldKeys:
		l.Keys = hexKeys(o.Keys)
	case fieldShow:
		for i, name := range fieldNames {
			if o.Show&(1<<i) != 0 {
				l.Show = append(l.Show, name)
			}
		}
	case fieldConfig:
		l.Protocol, l.Machine = Protocol, o.Config.Machine.String()
		l.Config, err = o.Config.json()
	}
	return err
}

// ParseOpJSON reads one operation as AppendJSON writes it, for machine m; an init is for any.
func ParseOpJSON(m Machine, b []byte) (Op, error) {
	var l jsonLine
	if err := decodeLine(b, &l); err != nil {
		return Op{}, err
	}
	return l.op(m)
}

func (l *jsonLine) op(m Machine) (Op, error) {
	name, err := need("op", l.Op)
	if err != nil {
		return Op{}, err
	}
	k := Kind(max(indexOf(kindNames[:], name), 0))
	if name != kindNames[k] {
		return Op{}, fmt.Errorf("%w: %q", ErrUnknownOp, clip(name))
	}
	if k != Init && !k.On(m) {
		return Op{}, fmt.Errorf("%w: the %s has no %s", ErrUnknownOp, m, k)
	}
	o := Op{Kind: k}
	if k.Timed() {
		now, err := need("now", l.Now)
		if err != nil {
			return Op{}, fmt.Errorf("%s: %w", k, err)
		}
		o.Now = now
	}
	for _, f := range kindSpecs[k].fields {
		if err := o.fromLine(l, f); err != nil {
			return Op{}, fmt.Errorf("%s: %w", k, err)
		}
	}
	return o, nil
}

// ErrUnknownOp is an operation that the language, or the machine, does not have.
var ErrUnknownOp = errors.New("unknown operation")

func (o *Op) fromLine(l *jsonLine, f field) (err error) {
	switch f {
	case fieldKey:
		o.Key, err = needID[Key]("key", l.Key)
	case fieldDistance:
		o.Distance, err = needID[Distance]("distance", l.Distance)
	case fieldHints:
		o.Hints, err = l.hints()
	case fieldSources:
		o.Sources, err = needList[Peer]("sources", l.Sources)
	case fieldRef:
		name := kindSpecs[o.Kind].refKey
		ref, err := need(name, map[string]*jsonRef{"attempt": l.Attempt, "ticket": l.Ticket, "send": l.Send}[name])
		o.Ref = Ref(ref)
		return err
	case fieldReportPlace, fieldOutcomePlace:
		if l.Place != nil {
			o.PlaceArg, o.Place = l.Place.arg, l.Place.n
		} else if f == fieldReportPlace {
			return errors.New("place is missing")
		}
	case fieldWait:
		o.Wait, err = need("wait", l.Wait)
	case fieldOutcome:
		return o.outcomeFromLine(l)
	case fieldPeer:
		o.Peer, err = needID[Peer]("peer", l.Peer)
	case fieldAsksBusy:
		o.AsksBusy, err = need("asks_busy", l.AsksBusy)
	case fieldMaxAge:
		o.MaxAge, err = need("max_age", l.MaxAge)
	case fieldLimit:
		o.Limit, err = need("limit", l.Limit)
	case fieldKeys:
		o.Keys, err = needList[Key]("keys", l.Keys)
	case fieldShow:
		for _, name := range l.Show {
			i := indexOf(fieldNames[:], name)
			if i < 0 {
				return fmt.Errorf("unknown state field %q", clip(name))
			}
			o.Show |= 1 << i
		}
	case fieldConfig:
		o.Config, err = l.config()
	}
	return err
}

// outcomeFromLine reads the outcome. A name that the rules do not have is no error of the line: the machine answers it as an
// unknown outcome (DET-4).
func (o *Op) outcomeFromLine(l *jsonLine) error {
	name, err := need("kind", l.Kind)
	if err != nil {
		return err
	}
	var known bool
	if o.Outcome, known = ParseOutcome(name); !known {
		o.Outcome = NumOutcomes
	}
	return nil
}

func (l *jsonLine) hints() ([]Hint, error) {
	list, err := need("hints", l.Hints)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	hints := make([]Hint, len(list))
	for i, h := range list {
		peer, err := needID[Peer]("peer of a hint", h.Peer)
		if err != nil {
			return nil, err
		}
		claimant, err := need("claimant of a hint", h.Claimant)
		if err != nil {
			return nil, err
		}
		hints[i] = Hint{peer, claimant}
	}
	return hints, nil
}

func needID[T ~[32]byte](name string, id *hexID) (T, error) {
	v, err := need(name, id)
	return T(v), err
}

func needList[T ~[32]byte](name string, ids *[]hexID) ([]T, error) {
	list, err := need(name, ids)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	out := make([]T, len(list))
	for i, id := range list {
		out[i] = T(id)
	}
	return out, nil
}

func (c *Config) json() (json.RawMessage, error) {
	b := []byte{'{'}
	for i, f := range c.Machine.fields() {
		if i > 0 {
			b = append(b, ',')
		}
		var v any
		switch {
		case f.count != nil:
			v = *f.count(c)
		case f.duration != nil:
			v = *f.duration(c)
		default:
			v = *f.flag(c)
		}
		value, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		b = append(append(append(append(b, '"'), f.name...), '"', ':'), value...)
	}
	return append(b, '}'), nil
}

func (l *jsonLine) config() (*Config, error) {
	if l.Protocol != Protocol {
		return nil, fmt.Errorf("protocol %d: want %d", l.Protocol, Protocol)
	}
	m := indexOf(machineNames[:], l.Machine)
	if m < 0 {
		return nil, fmt.Errorf("unknown machine %q", clip(l.Machine))
	}
	if len(bytes.TrimSpace(l.Config)) == 0 {
		return nil, errors.New("config is missing")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(l.Config, &given); err != nil {
		return nil, fmt.Errorf("config: %w", plainly(err))
	}
	c := DefaultConfig(Machine(m))
	for _, f := range c.Machine.fields() {
		raw, ok := given[f.name]
		if !ok {
			return nil, fmt.Errorf("config: %s is missing", f.name)
		}
		if err := f.setJSON(&c, raw); err != nil {
			return nil, fmt.Errorf("config: %s: %w", f.name, err)
		}
	}
	return &c, c.Validate()
}

func (f *configField) setJSON(c *Config, raw json.RawMessage) error {
	if string(raw) == "null" {
		return errors.New("is missing")
	}
	var err error
	switch {
	case f.count != nil:
		err = json.Unmarshal(raw, f.count(c))
	case f.duration != nil:
		err = json.Unmarshal(raw, f.duration(c))
	default:
		err = json.Unmarshal(raw, f.flag(c))
	}
	return plainly(err)
}
