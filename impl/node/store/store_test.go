package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

func record(n int) (scheduler.Key, []byte) {
	data := bytes.Repeat(fmt.Appendf(nil, "record %d. ", n), 100)
	return scheduler.Key(wire.KeyOf(data)), data
}

func open(t *testing.T, dir string) *Disk {
	t.Helper()
	d, err := OpenDisk(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// kept is what both stores promise.
type kept interface {
	Put(scheduler.Key, []byte) error
	Get(scheduler.Key) ([]byte, error)
}

func TestPutGet(t *testing.T) {
	for name, s := range map[string]kept{"memory": NewMemory(0), "disk": open(t, t.TempDir())} {
		t.Run(name, func(t *testing.T) {
			k, data := record(1)
			if _, err := s.Get(k); !errors.Is(err, ErrNotFound) {
				t.Errorf("before: %v", err)
			}
			for range 2 {
				if err := s.Put(k, bytes.Clone(data)); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := s.Get(k); err != nil || !bytes.Equal(got, data) {
				t.Errorf("got %d bytes, %v", len(got), err)
			}
		})
	}
}

func TestConcurrent(t *testing.T) {
	d, m := open(t, t.TempDir()), NewMemory(0)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for n := range 20 {
				k, data := record(n)
				if err := errors.Join(d.Put(k, data), m.Put(k, data)); err != nil {
					t.Error(err)
				}
				if got, err := d.Get(k); err != nil || !bytes.Equal(got, data) {
					t.Errorf("record %d: %v", n, err)
				}
			}
		})
	}
	all.Wait()
	dn, db, err := d.Len()
	mn, mb := m.Len()
	if err != nil || dn != 20 || mn != 20 || db != mb {
		t.Errorf("disk %d/%d, memory %d/%d, %v", dn, db, mn, mb, err)
	}
}

// TestMemoryKeepsNoBuffer: a record that came in a larger buffer does not keep it, and one that fills its own is not
// copied.
func TestMemoryKeepsNoBuffer(t *testing.T) {
	_, data := record(1)
	for _, c := range []struct {
		spare int
		same  bool
	}{
		{0, true},
		{len(data) / 4, true}, // a quarter
		{len(data)/4 + 1, false},
		{1 << 20, false},
	} {
		m, k := NewMemory(0), scheduler.Key{1}
		given := append(make([]byte, 0, len(data)+c.spare), data...)
		if err := m.Put(k, given); err != nil {
			t.Fatal(err)
		}
		got, err := m.Get(k)
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		if same := &got[0] == &given[0]; same != c.same || cap(got) > len(data)*5/4 {
			t.Errorf("%d bytes to spare: same buffer %v, want %v; kept %d for %d", c.spare, same, c.same, cap(got), len(data))
		}
	}
}

// TestMemoryFull: a limit is kept to the byte, and below 1 is none.
func TestMemoryFull(t *testing.T) {
	k1, d1 := record(1)
	k2, d2 := record(2)
	for _, c := range []struct {
		limit         int64
		first, second error
	}{
		{int64(len(d1) + len(d2)), nil, nil},
		{int64(len(d1)+len(d2)) - 1, nil, ErrFull},
		{int64(len(d1)), nil, ErrFull},
		{1, ErrFull, ErrFull},
		{0, nil, nil},
		{-1, nil, nil},
	} {
		m := NewMemory(c.limit)
		if err := m.Put(k1, d1); !errors.Is(err, c.first) {
			t.Errorf("limit %d, first record: %v", c.limit, err)
		}
		before, _ := m.Len()
		if err := m.Put(k2, d2); !errors.Is(err, c.second) {
			t.Errorf("limit %d, second record: %v", c.limit, err)
		}
		if after, _ := m.Len(); (after > before) != (c.second == nil) {
			t.Errorf("limit %d: %d records, then %d", c.limit, before, after)
		}
	}
}

// TestDamaged: a record that rotted is not given out, is set aside, and can be
// stored again.
func TestDamaged(t *testing.T) {
	k, data := record(1)
	for name, damage := range map[string][]byte{
		"flipped": append([]byte{data[0] ^ 1}, data[1:]...), "cut": data[:10], "emptied": {}, "grown": make([]byte, wire.MaxRecord+10),
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, t.TempDir())
			if err := d.Put(k, data); err != nil {
				t.Fatal(err)
			}
			_, file := d.place(k)
			if err := os.WriteFile(file, damage, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := d.Get(k); !errors.Is(err, ErrCorrupt) {
				t.Errorf("get: %v", err)
			}
			if _, err := d.Get(k); !errors.Is(err, ErrNotFound) {
				t.Errorf("get again: %v", err)
			}
			if err := d.Put(k, data); err != nil {
				t.Error(err)
			}
			if got, err := d.Get(k); err != nil || !bytes.Equal(got, data) {
				t.Errorf("after storing again: %v", err)
			}
			if n, _, err := d.Len(); n != 1 || err != nil {
				t.Errorf("%d records, %v", n, err)
			}
		})
	}
}

// TestLargest: the largest record is kept, and one that grew by a byte is damaged.
func TestLargest(t *testing.T) {
	data := make([]byte, wire.MaxRecord)
	k := scheduler.Key(wire.KeyOf(data))
	d := open(t, t.TempDir())
	if err := d.Put(k, data); err != nil {
		t.Fatal(err)
	}
	if got, err := d.Get(k); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	_, file := d.place(k)
	if err := os.WriteFile(file, append(data, 0), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Get(k); !errors.Is(err, ErrCorrupt) {
		t.Errorf("grown by a byte: %v", err)
	}
}

// TestReadBounded: of a file that grew one byte is read more than there may be.
func TestReadBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "grown")
	if err := os.WriteFile(file, make([]byte, 1000), 0o644); err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int64]int{0: 1, 10: 11, 999: 1000, 1000: 1000, 1001: 1000} {
		if data, err := ReadBounded(file, most); len(data) != want || err != nil {
			t.Errorf("read %d bytes where %d may be, want %d: %v", len(data), most, want, err)
		}
	}
}

// TestUnreadable: what cannot be read is not called damaged, and stays.
func TestUnreadable(t *testing.T) {
	k, _ := record(1)
	d := open(t, t.TempDir())
	_, file := d.place(k)
	if err := os.MkdirAll(file, 0o755); err != nil { // a directory opens and does not read
		t.Fatal(err)
	}
	if _, err := d.Get(k); !errors.Is(err, syscall.EISDIR) || errors.Is(err, ErrCorrupt) || errors.Is(err, ErrNotFound) {
		t.Errorf("get: %v", err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// TestLen: files that are no records do not count, and a store that cannot be listed says so.
func TestLen(t *testing.T) {
	d := open(t, t.TempDir())
	accepts(t, d)
	k, data := record(1)
	_, file := d.place(k)
	for _, other := range []string{filepath.Join(filepath.Dir(file), partPrefix+"1"), file + damagedSuffix} {
		if err := os.WriteFile(other, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n, size, err := d.Len(); n != 1 || size != int64(len(data)) || err != nil {
		t.Errorf("%d records, %d bytes, %v", n, size, err)
	}
	if err := os.RemoveAll(d.dir); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Len(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of nothing: %v", err)
	}
}

// TestReopen: records survive, half-written files do not.
func TestReopen(t *testing.T) {
	dir := t.TempDir()
	k, data := record(1)
	if err := open(t, dir).Put(k, data); err != nil {
		t.Fatal(err)
	}
	_, file := open(t, dir).place(k)
	part := filepath.Join(filepath.Dir(file), partPrefix+"123")
	if err := os.WriteFile(part, data[:5], 0o644); err != nil {
		t.Fatal(err)
	}
	d := open(t, dir)
	if got, err := d.Get(k); err != nil || !bytes.Equal(got, data) {
		t.Errorf("get: %v", err)
	}
	if _, err := os.Stat(part); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half-written file: %v", err)
	}
	if _, err := OpenDisk(file); err == nil {
		t.Error("a file opened as a store")
	}
	if err := os.MkdirAll(filepath.Join(part, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenDisk(dir); err == nil {
		t.Error("opened beside what cannot be removed")
	}
}

// TestOddDirectory: a store's directory may have any name, and opening it leaves other stores alone.
func TestOddDirectory(t *testing.T) {
	base := t.TempDir()
	half := func(dir string) string {
		shelf := filepath.Join(base, dir, "ab")
		if err := os.MkdirAll(shelf, 0o755); err != nil {
			t.Fatal(err)
		}
		part := filepath.Join(shelf, partPrefix+"1")
		if err := os.WriteFile(part, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return part
	}
	for _, dir := range []string{"a*", "[a", "?", `a\b`} {
		other, own := half("ab"), half(dir)
		open(t, filepath.Join(base, dir))
		if _, err := os.Stat(own); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: half-written file: %v", dir, err)
		}
		if _, err := os.Stat(other); err != nil {
			t.Errorf("%s: another store's: %v", dir, err)
		}
	}
}
