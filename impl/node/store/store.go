// Package store keeps records, by the hash of their bytes (WIR-7): in memory, or on
// a disk that may be full, fail or rot.
package store

import (
	"bytes"
	"errors"
	"sync"

	"fetchproof/impl/scheduler"
)

// What can go wrong with a record, for errors.Is.
var (
	// ErrNotFound: no such record is here.
	ErrNotFound = errors.New("store: no such record")
	// ErrFull: the record does not fit any more.
	ErrFull = errors.New("store: full")
	// ErrCorrupt: what is here under that key is not the record. It is set aside,
	// and from then on the record is not found.
	ErrCorrupt = errors.New("store: record damaged")
)

// Memory keeps records in memory. It is safe for concurrent use.
type Memory struct {
	limit int64

	mu      sync.RWMutex
	records map[scheduler.Key][]byte
	bytes   int64
}

// NewMemory makes a store for at most limit bytes of records; below 1 is no limit.
func NewMemory(limit int64) *Memory {
	return &Memory{limit: limit, records: make(map[scheduler.Key][]byte)}
}

// Put keeps a record; data is the store's from then on, and copied only if more than
// a quarter of its length is spare room. It fails with ErrFull. A record that is here
// already stays.
func (m *Memory) Put(key scheduler.Key, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.records[key]; ok {
		return nil
	}
	if m.limit > 0 && m.bytes+int64(len(data)) > m.limit {
		return ErrFull
	}
	if cap(data)-len(data) > len(data)/4 {
		data = bytes.Clone(data) // it is part of a buffer that would be kept for it
	}
	m.records[key] = data
	m.bytes += int64(len(data))
	return nil
}

// Get returns a record, which must not be changed, or fails with ErrNotFound.
func (m *Memory) Get(key scheduler.Key) ([]byte, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	data, ok := m.records[key]
	if !ok {
		return nil, ErrNotFound
	}
	return data, nil
}

// Len is how many records and bytes are here.
func (m *Memory) Len() (records int, bytes int64) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.records), m.bytes
}
