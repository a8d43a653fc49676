package store

import (
	"bytes"
	"errors"
	"fmt"
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

// TestMemoryKeepsNoBuffer: a record that came in a large buffer does not keep it.
func TestMemoryKeepsNoBuffer(t *testing.T) {
	k, data := record(1)
	m := NewMemory(0)
	if err := m.Put(k, append(make([]byte, 0, 1<<20), data...)); err != nil {
		t.Fatal(err)
	}
	if got, err := m.Get(k); err != nil || cap(got) > 2*len(data) || !bytes.Equal(got, data) {
		t.Errorf("%d bytes in a buffer of %d, %v", len(got), cap(got), err)
	}
}

func TestMemoryFull(t *testing.T) {
	k1, d1 := record(1)
	k2, d2 := record(2)
	m := NewMemory(int64(len(d1)))
	if err := m.Put(k1, d1); err != nil {
		t.Error(err)
	}
	if err := m.Put(k2, d2); !errors.Is(err, ErrFull) {
		t.Errorf("second record: %v", err)
	}
}

// failing is a file whose disk is full after some bytes, or that cannot be synced
// or closed.
type failing struct {
	*os.File
	room              int
	onSync, onClosing error
}

func (f failing) Write(p []byte) (int, error) {
	if len(p) <= f.room {
		return f.File.Write(p)
	}
	n, _ := f.File.Write(p[:f.room])
	return n, &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
}

func (f failing) Sync() error { return errors.Join(f.onSync, f.File.Sync()) }

func (f failing) Close() error { return errors.Join(f.onClosing, f.File.Close()) }

// TestDiskFails: a write that fails at any point leaves no record and no file, and
// a later one succeeds.
func TestDiskFails(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name string
		f    failing
		want error
	}{
		{"full at once", failing{}, ErrFull},
		{"full in the middle", failing{room: 10}, ErrFull},
		{"sync", failing{room: 1 << 20, onSync: broken}, broken},
		{"close", failing{room: 1 << 20, onClosing: broken}, broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			d := open(t, dir)
			d.create = func(dir string) (partFile, error) {
				f, err := os.CreateTemp(dir, partPrefix+"*")
				c.f.File = f
				return c.f, err
			}
			k, data := record(1)
			if err := d.Put(k, data); !errors.Is(err, c.want) {
				t.Errorf("put: %v", err)
			}
			if files, _ := filepath.Glob(filepath.Join(dir, "*", "*")); len(files) != 0 {
				t.Errorf("left behind: %v", files)
			}
			if _, err := d.Get(k); !errors.Is(err, ErrNotFound) {
				t.Errorf("get: %v", err)
			}
			d.create = createPart
			if err := d.Put(k, data); err != nil {
				t.Errorf("put again: %v", err)
			}
		})
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
			_, file := d.path(k)
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

// TestReopen: records survive, half-written files do not.
func TestReopen(t *testing.T) {
	dir := t.TempDir()
	k, data := record(1)
	if err := open(t, dir).Put(k, data); err != nil {
		t.Fatal(err)
	}
	_, file := open(t, dir).path(k)
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
}
