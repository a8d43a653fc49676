package ops

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
)

// hexID is an identifier in the protocol's form: 64 lower-case hex digits.
type hexID [32]byte

func (h hexID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

func (h *hexID) UnmarshalText(b []byte) error {
	id, err := parseHex32(string(b))
	*h = id
	return err
}

// jsonRef is a number or, in a file, {"of": hex, "back": n}.
type jsonRef Ref

func (r jsonRef) MarshalJSON() ([]byte, error) {
	if !Ref(r).Symbolic() {
		return strconv.AppendUint(nil, r.N, 10), nil
	}
	return json.Marshal(jsonPast{r.Of, r.Back})
}

func (r *jsonRef) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var of jsonPast
		if err := json.Unmarshal(b, &of); err != nil {
			return err
		}
		*r = jsonRef{Of: of.Of, Back: of.Back}
		return nil
	}
	return json.Unmarshal(b, &r.N)
}

// jsonPast names an attempt, a ticket or a send by its key or peer, and how many came after it.
type jsonPast struct {
	Of   hexID  `json:"of"`
	Back uint16 `json:"back,omitempty"`
}

// jsonPlace is a number or, in a file, "given".
type jsonPlace struct {
	arg PlaceArg
	n   uint64
}

func (p jsonPlace) MarshalJSON() ([]byte, error) {
	if p.arg == GivenPlace {
		return []byte(`"given"`), nil
	}
	return strconv.AppendUint(nil, p.n, 10), nil
}

func (p *jsonPlace) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte(`"given"`)) {
		p.arg = GivenPlace
		return nil
	}
	p.arg = ThisPlace
	return json.Unmarshal(b, &p.n)
}

type jsonHint struct {
	Peer     *hexID `json:"peer"`
	Claimant *bool  `json:"claimant"`
}

type jsonEvent struct {
	Event   string  `json:"event"`
	Key     *hexID  `json:"key"`
	Source  *hexID  `json:"source,omitempty"`
	Attempt *uint64 `json:"attempt,omitempty"`
	Reason  string  `json:"reason,omitempty"`
}

// jsonLine is a line of the protocol in either direction, or of a file, which holds both in one object.
type jsonLine struct {
	Op       *string         `json:"op,omitempty"`
	Protocol int             `json:"protocol,omitempty"`
	Machine  string          `json:"machine,omitempty"`
	Config   json.RawMessage `json:"config,omitempty"`
	Now      *Time           `json:"now,omitempty"`
	Key      *hexID          `json:"key,omitempty"`
	Distance *hexID          `json:"distance,omitempty"`
	Hints    *[]jsonHint     `json:"hints,omitempty"`
	Sources  *[]hexID        `json:"sources,omitempty"`
	Attempt  *jsonRef        `json:"attempt,omitempty"`
	Wait     *Duration       `json:"wait,omitempty"`
	Kind     *string         `json:"kind,omitempty"`
	Place    *jsonPlace      `json:"place,omitempty"`
	Peer     *hexID          `json:"peer,omitempty"`
	AsksBusy *bool           `json:"asks_busy,omitempty"`
	MaxAge   *Duration       `json:"max_age,omitempty"`
	Limit    *int64          `json:"limit,omitempty"`
	Keys     *[]hexID        `json:"keys,omitempty"`
	Ticket   *jsonRef        `json:"ticket,omitempty"`
	Send     *jsonRef        `json:"send,omitempty"`
	Show     []string        `json:"show,omitempty"`

	Result   string       `json:"result,omitempty"`
	Why      string       `json:"why,omitempty"`
	Error    *string      `json:"error,omitempty"`
	Name     string       `json:"name,omitempty"`
	Cooldown *Duration    `json:"cooldown,omitempty"`
	Due      *Time        `json:"due,omitempty"`
	Charge   string       `json:"charge,omitempty"`
	Events   *[]jsonEvent `json:"events,omitempty"`
	Drained  *bool        `json:"drained,omitempty"`
	Reason   string       `json:"reason,omitempty"`
	Limiter  string       `json:"limiter,omitempty"`
	State    *jsonState   `json:"state,omitempty"`

	Comment *string   `json:"comment,omitempty"`
	Expect  *[]string `json:"expect,omitempty"`
	Block   bool      `json:"block,omitempty"`
}

func hexPeers(peers []Peer) *[]hexID {
	list := make([]hexID, len(peers))
	for i, p := range peers {
		list[i] = hexID(p)
	}
	return &list
}

func hexKeys(keys []Key) *[]hexID {
	list := make([]hexID, len(keys))
	for i, k := range keys {
		list[i] = hexID(k)
	}
	return &list
}

// need is the value of a field that must be there.
func need[T any](name string, v *T) (T, error) {
	if v == nil {
		var zero T
		return zero, fmt.Errorf("%s is missing", name)
	}
	return *v, nil
}
