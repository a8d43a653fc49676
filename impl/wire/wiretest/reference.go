package wiretest

import (
	"bytes"
	"encoding/hex"
	"regexp"

	"github.com/cloudflare/circl/sign/mldsa/mldsa65"
	"github.com/zeebo/blake3"
)

// The verdicts that only envelopes get.
const (
	BadProtocol    = "bad-protocol"
	BadPublicKey   = "bad-public-key"
	SenderMismatch = "sender-mismatch"
	BadSignature   = "bad-signature"
	BadMessageID   = "bad-message-id"
)

var key = octets{32}

var response = choice{
	0: record{{"key", key}, {"data", block{}}},
	1: record{{"key", key}},
	2: record{{"key", key}, {"reason", text{}}},
	3: record{{"key", key}},
}

var message = record{{"request_id", number{64}}, {"body", bodies()}}

func bodies() choice {
	all := choice{7: record{{"key", key}}, 8: response}
	for tag := range uint64(17) {
		if tag != 7 && tag != 8 {
			all[tag] = foreign{}
		}
	}
	return all
}

var outer = record{
	{"protocol", text{}},
	{"data", block{}},
	{"from", text{}},
	{"timestamp", number{64}},
	{"user_agent", text{}},
	{"public_key", block{}},
	{"signature", block{}},
}

var inner = record{{"message_id", text{}}, {"is_response", truth{}}, {"payload", block{}}}

// Message is what the reference decoder makes of a message (WIR-1, WIR-3).
// Response is nil for a request.
type Message struct {
	RequestID uint64
	Key       []byte
	Response  *uint64 // the response variant
	Data      []byte
	Reason    string
	Capable   bool
	Tail      []byte // what follows the message
}

// Reference decodes a message as a node of now does, naively.
func Reference(input []byte) (Message, string) {
	if len(input) > 10*1024*1024 {
		return Message{}, Oversized
	}
	value, tail, verdict := message.read(input)
	if verdict != OK {
		return Message{}, verdict
	}
	fields := value.(map[string]any)
	m := Message{RequestID: fields["request_id"].(uint64), Tail: tail}
	body := fields["body"].(Chosen)
	if body.Case == 7 {
		m.Key = body.Value.(map[string]any)["key"].([]byte)
		m.Capable = capable(tail)
		return m, OK
	}
	reply := body.Value.(Chosen)
	of := reply.Value.(map[string]any)
	m.Response = &reply.Case
	m.Key = of["key"].([]byte)
	m.Data, _ = of["data"].([]byte)
	m.Reason, _ = of["reason"].(string)
	return m, OK
}

// capable is whether the tail is a whole trailer with odd flags, and no more.
func capable(tail []byte) bool {
	flags, named := bytes.CutPrefix(tail, []byte("antf"))
	return named && len(flags) == 1 && flags[0]%2 == 1
}

// Envelope is what the reference makes of an envelope (WIR-8).
type Envelope struct {
	From       string
	Timestamp  uint64
	UserAgent  string
	MessageID  string
	IsResponse bool
	Payload    []byte
}

var uuid4 = regexp.MustCompile(`\A[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\z`)

// VerifyFunc checks an ML-DSA-65 signature with an empty context.
type VerifyFunc func(publicKey, message, signature []byte) bool

// Verify is a [VerifyFunc] that unpacks the key each time.
func Verify(publicKey, message, signature []byte) bool {
	var k mldsa65.PublicKey
	return k.UnmarshalBinary(publicKey) == nil && mldsa65.Verify(&k, message, nil, signature)
}

// Open judges an envelope with the same order of checks as the production code
// documents (WIR-8, WIR-9), naively. limit is the size bound of an envelope.
func Open(input []byte, limit int, verify VerifyFunc) (Envelope, string) {
	if len(input) > limit {
		return Envelope{}, Oversized
	}
	value, _, verdict := outer.read(input)
	if verdict != OK {
		return Envelope{}, verdict
	}
	fields := value.(map[string]any)
	if verdict := judge(fields, verify); verdict != OK {
		return Envelope{}, verdict
	}
	e := Envelope{
		From:      fields["from"].(string),
		Timestamp: fields["timestamp"].(uint64),
		UserAgent: fields["user_agent"].(string),
	}
	value, _, verdict = inner.read(fields["data"].([]byte))
	if verdict != OK {
		return Envelope{}, verdict
	}
	fields = value.(map[string]any)
	e.MessageID = fields["message_id"].(string)
	e.IsResponse = fields["is_response"].(bool)
	e.Payload = fields["payload"].([]byte)
	switch {
	case !uuid4.MatchString(e.MessageID):
		return Envelope{}, BadMessageID
	case len(e.Payload) > 10*1024*1024:
		return Envelope{}, Oversized
	}
	return e, OK
}

func judge(fields map[string]any, verify VerifyFunc) string {
	publicKey := fields["public_key"].([]byte)
	owner := blake3.Sum256(publicKey)
	switch {
	case fields["protocol"] != "/rr/autonomi.ant.replication.v2":
		return BadProtocol
	case len(publicKey) != 1952:
		return BadPublicKey
	case fields["from"] != hex.EncodeToString(owner[:]):
		return SenderMismatch
	case !verify(publicKey, signed(fields), fields["signature"].([]byte)):
		return BadSignature
	}
	return OK
}

// signed is the canonical postcard of the first five fields.
func signed(fields map[string]any) []byte {
	var out []byte
	for _, f := range outer[:5] {
		switch v := fields[f.name].(type) {
		case uint64:
			out = append(out, shortest(v)...)
		case string:
			out = append(append(out, shortest(uint64(len(v)))...), v...)
		case []byte:
			out = append(append(out, shortest(uint64(len(v)))...), v...)
		}
	}
	return out
}

func shortest(v uint64) []byte {
	if v < 128 {
		return []byte{byte(v)}
	}
	return append([]byte{byte(v%128 + 128)}, shortest(v/128)...)
}
