package store

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fetchproof/impl/scheduler"
)

// failing is a file whose disk is full, or whose owner's share of it is, after some
// bytes, or that cannot be synced or closed.
type failing struct {
	*os.File
	room              int
	full              error
	onSync, onClosing error
}

func (f failing) Write(p []byte) (int, error) {
	if len(p) <= f.room {
		return f.File.Write(p)
	}
	n, _ := f.File.Write(p[:f.room])
	return n, &os.PathError{Op: "write", Path: f.Name(), Err: f.full}
}

func (f failing) Sync() error { return errors.Join(f.onSync, f.File.Sync()) }

func (f failing) Close() error { return errors.Join(f.onClosing, f.File.Close()) }

var errBroken = errors.New("broken")

// TestDiskFails: a write that fails at any point leaves no record and no file, and
// a later one succeeds.
func TestDiskFails(t *testing.T) {
	for _, c := range []struct {
		name string
		f    failing
		want error
	}{
		{"full at once", failing{full: syscall.ENOSPC}, ErrFull},
		{"full in the middle", failing{room: 10, full: syscall.ENOSPC}, ErrFull},
		{"share used up", failing{room: 10, full: syscall.EDQUOT}, ErrFull},
		{"write", failing{room: 10, full: errBroken}, errBroken},
		{"sync", failing{room: 1 << 20, onSync: errBroken}, errBroken},
		{"close", failing{room: 1 << 20, onClosing: errBroken}, errBroken},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t, t.TempDir())
			d.create = func(dir string) (partFile, error) {
				f, err := os.CreateTemp(dir, partPrefix+"*")
				c.f.File = f
				return c.f, err
			}
			refuses(t, d, c.want)
			d.create = createPart
			accepts(t, d)
		})
	}
	t.Run("create", func(t *testing.T) {
		d := open(t, t.TempDir())
		d.create = func(string) (partFile, error) { return nil, errBroken }
		refuses(t, d, errBroken)
		d.create = createPart
		accepts(t, d)
	})
	t.Run("name", func(t *testing.T) {
		d := open(t, t.TempDir())
		d.create = func(dir string) (partFile, error) {
			f, err := createPart(dir)
			return elsewhere{f, filepath.Join(dir, "gone")}, err
		}
		if k, data := record(1); !errors.Is(d.Put(k, data), fs.ErrNotExist) {
			t.Error("kept a file that is not there")
		}
	})
	t.Run("no shelf", func(t *testing.T) {
		d := open(t, t.TempDir())
		if err := os.RemoveAll(d.dir); err != nil {
			t.Fatal(err)
		}
		d.sync = func(string) error { return nil } // a shelf that was not made is not taken for kept
		if err := refuses(t, d, fs.ErrNotExist); !strings.HasPrefix(err.Error(), "store: making a directory: ") {
			t.Error(err)
		}
		if err := os.Mkdir(d.dir, 0o755); err != nil {
			t.Fatal(err)
		}
		accepts(t, d)
	})
}

// elsewhere is a file that somebody took away.
type elsewhere struct {
	partFile
	name string
}

func (e elsewhere) Name() string { return e.name }

// refuses finds that d fails to keep a record, that only a record that fails for want of room is told to be one too
// many, and that nothing is left of it.
func refuses(t *testing.T, d *Disk, want error) error {
	t.Helper()
	k, data := record(1)
	err := d.Put(k, data)
	if !errors.Is(err, want) || errors.Is(err, ErrFull) != (want == ErrFull) {
		t.Errorf("put: %v, want %v", err, want)
	}
	if files, _ := filepath.Glob(filepath.Join(d.dir, "*", "*")); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	if _, err := d.Get(k); !errors.Is(err, ErrNotFound) {
		t.Errorf("get: %v", err)
	}
	return err
}

func accepts(t *testing.T, d *Disk) {
	t.Helper()
	k, data := record(1)
	if err := d.Put(k, data); err != nil {
		t.Errorf("put again: %v", err)
	}
	if got, err := d.Get(k); err != nil || !bytes.Equal(got, data) {
		t.Errorf("get: %d bytes, %v", len(got), err)
	}
}

// TestSyncsDirectories: a record is kept once both directories that name it are synced, whoever made them, and one
// whose directory could not be synced is not taken for kept later.
func TestSyncsDirectories(t *testing.T) {
	k, data := record(1)
	root := t.TempDir()
	d := open(t, root)
	at, _ := d.place(k)
	shelf := at.dir
	var synced []string
	fails := map[string]bool{}
	watch := func(d *Disk) {
		d.sync = func(dir string) error {
			if fails[dir] {
				return errBroken
			}
			synced = append(synced, dir)
			return syncDir(dir)
		}
	}
	watch(d)
	for _, dir := range []string{root, shelf} {
		fails[dir] = true
		refuses(t, d, errBroken)
		fails[dir] = false
	}
	expect := func(what string, want ...string) {
		t.Helper()
		if !slices.Equal(synced, want) {
			t.Errorf("%s: synced %v, want %v", what, synced, want)
		}
		synced = nil
	}
	expect("failures", root)
	accepts(t, d)
	expect("afterwards", shelf)
	d = open(t, root)
	watch(d)
	accepts(t, d) // is there, but the process that made it may have been killed before it could sync
	expect("another process", root, shelf)
	fails[shelf] = true
	if err := d.Put(k, data); !errors.Is(err, errBroken) {
		t.Errorf("a record that is there: %v", err)
	}
	if got, err := d.Get(k); err != nil || !bytes.Equal(got, data) {
		t.Errorf("get: %v", err)
	}
	if err := syncDir(filepath.Join(root, "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
	if err := syncDir(os.DevNull); err == nil { // which opens, and has nothing to sync to
		t.Error("a failure to sync is not told")
	}
}

// TestShelves: every first byte has a directory of its own, whatever the others are.
func TestShelves(t *testing.T) {
	d := open(t, t.TempDir())
	_, data := record(1)
	for _, k := range []scheduler.Key{{1, 7}, {2, 7}, {3, 7}, {3, 8}} {
		if err := d.Put(k, data); err != nil {
			t.Error(err)
		}
	}
	if shelves, err := os.ReadDir(d.dir); len(shelves) != 3 || shelves[0].Name() != "01" {
		t.Errorf("%v, %v", shelves, err)
	}
}

// TestDirectoryModes: everyone may read what OpenDisk and Put make, as far as the process's mask allows.
func TestDirectoryModes(t *testing.T) {
	like := filepath.Join(t.TempDir(), "like")
	if err := os.Mkdir(like, 0o755); err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(like)
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, filepath.Join(t.TempDir(), "a", "b"))
	k, data := record(1)
	if err := d.Put(k, data); err != nil {
		t.Fatal(err)
	}
	at, _ := d.place(k)
	for _, dir := range []string{filepath.Dir(d.dir), d.dir, at.dir} {
		if i, err := os.Stat(dir); err != nil || i.Mode() != want.Mode() {
			t.Errorf("%s: %v, %v, want %v", dir, i.Mode(), err, want.Mode())
		}
	}
}
