package wire

import (
	"container/list"
	"sync"

	"github.com/cloudflare/circl/sign/mldsa/mldsa65"
)

// DefaultKeys is how many public keys a [Verifier] remembers unless told
// otherwise: with some 40 KiB for each, about 20 MiB.
const DefaultKeys = 512

// senderKey is a public key's owner and, once it is needed, the key unpacked. In
// the cache it is not changed any more, so that several callers may verify with it
// at once, and go on when the cache has forgotten it.
type senderKey struct {
	peer   PeerID
	packed string
	key    *mldsa65.PublicKey // nil until unpacked
}

// unpack fills in the key from its [PublicKeySize] bytes.
func (k *senderKey) unpack(packed []byte) {
	k.packed = string(packed)
	k.key = new(mldsa65.PublicKey)
	k.key.Unpack((*[PublicKeySize]byte)(packed))
}

// keyCache holds at most limit unpacked public keys, found by their packed bytes:
// so a known sender's id need not be hashed again. To make room it forgets the
// key that was used longest ago, so the same calls in the same order always leave
// the same keys.
type keyCache struct {
	limit int

	mu     sync.Mutex
	known  map[string]*list.Element // by packed key
	recent *list.List               // of *senderKey, the last used first
}

func newKeyCache(limit int) *keyCache {
	return &keyCache{limit: limit, known: make(map[string]*list.Element), recent: list.New()}
}

// get returns the key with these packed bytes, or nil.
func (c *keyCache) get(packed []byte) *senderKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.known[string(packed)]
	if !ok {
		return nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(*senderKey)
}

// put remembers a key. Callers that unpacked the same one at the same time put it
// twice; the first stays.
func (c *keyCache) put(k *senderKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.known[k.packed]; ok {
		c.recent.MoveToFront(e)
		return
	}
	if c.recent.Len() == c.limit {
		oldest := c.recent.Remove(c.recent.Back()).(*senderKey)
		delete(c.known, oldest.packed)
	}
	c.known[k.packed] = c.recent.PushFront(k)
}

func (c *keyCache) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.recent.Len()
}
