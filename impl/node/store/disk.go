package store

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// Names in a disk store: a record is DIR/ab/abcd…, its key in hex, below the key's
// first byte. A file that is being written begins with partPrefix; a damaged one
// was renamed to end in damagedSuffix.
const (
	partPrefix    = ".part-"
	damagedSuffix = ".damaged"
)

// Disk keeps each record in a file named by its key. A file appears under its name
// only when all of it is on the disk, so that a crash at any moment leaves whole
// records and, at worst, files with a prefix of their own that OpenDisk removes.
// What is read is verified. It is safe for concurrent use within one process.
type Disk struct {
	dir     string
	shelves [256]shelf // by the key's first byte
	// create and sync are the file system's; tests have ones that fail.
	create func(dir string) (partFile, error)
	sync   func(dir string) error
}

// shelf is a directory of records. Its lock is held while names in it change, so
// that no Put takes a record for kept that another Put has yet to sync.
type shelf struct {
	dir  string
	mu   sync.Mutex
	kept bool // its entry in the store's directory is synced
}

// partFile is a file while it is written.
type partFile interface {
	io.Writer
	Name() string
	Sync() error
	Close() error
}

// OpenDisk opens the store in dir, which it makes if need be, and removes what an
// interrupted write left there.
func OpenDisk(dir string) (*Disk, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	// Below DirFS, since dir may have characters that mean something in a pattern.
	parts, _ := fs.Glob(os.DirFS(dir), "[0-9a-f][0-9a-f]/"+partPrefix+"*") // fails for a bad pattern only
	for _, p := range parts {
		if err := os.Remove(filepath.Join(dir, p)); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	d := &Disk{dir: dir, create: createPart, sync: syncDir}
	for i := range d.shelves {
		d.shelves[i].dir = filepath.Join(dir, fmt.Sprintf("%02x", i))
	}
	return d, nil
}

func createPart(dir string) (partFile, error) { return os.CreateTemp(dir, partPrefix+"*") }

// place is where a record belongs.
func (d *Disk) place(key scheduler.Key) (s *shelf, file string) {
	s = &d.shelves[key[0]]
	return s, filepath.Join(s.dir, hex.EncodeToString(key[:]))
}

// Put keeps a record. When it returns nil the record survives a crash: the file and
// both directories that name it are synced. On failure nothing is left of it; a
// full disk is ErrFull.
func (d *Disk) Put(key scheduler.Key, data []byte) error {
	s, file := d.place(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := d.keep(s); err != nil {
		return wrap("making a directory", err)
	}
	if _, err := os.Stat(file); err == nil { // a process killed before it could sync may have left it
		return wrap("syncing a directory", d.sync(s.dir))
	}
	part, err := d.write(s.dir, data)
	if err != nil {
		return wrap("writing a record", err)
	}
	if err := os.Rename(part, file); err != nil {
		return wrap("naming a record", errors.Join(err, os.Remove(part)))
	}
	if err := d.sync(s.dir); err != nil {
		return wrap("syncing a directory", errors.Join(err, os.Remove(file)))
	}
	return nil
}

// keep makes a directory of records, if need be, and syncs its entry once a
// process: one that is there may be from a process killed before it could sync.
func (d *Disk) keep(s *shelf) error {
	if s.kept {
		return nil
	}
	if err := os.Mkdir(s.dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := d.sync(d.dir); err != nil {
		return err
	}
	s.kept = true
	return nil
}

// write writes and syncs a file under a temporary name, or leaves nothing.
func (d *Disk) write(dir string, data []byte) (name string, err error) {
	f, err := d.create(dir)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Get reads a record and verifies it. It fails with ErrNotFound, or with ErrCorrupt
// if the bytes are not the key's (WIR-7); then the file is set aside, so that the
// record can be fetched and kept again.
func (d *Disk) Get(key scheduler.Key) ([]byte, error) {
	data, err := d.read(key)
	if !errors.Is(err, ErrCorrupt) {
		return data, err
	}
	s, file := d.place(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	// Meanwhile another call may have set the file aside, and a third kept the
	// record anew: the new file must stay.
	if data, err = d.read(key); errors.Is(err, ErrCorrupt) {
		err = errors.Join(err, os.Rename(file, file+damagedSuffix))
	}
	return data, err
}

func (d *Disk) read(key scheduler.Key) ([]byte, error) {
	_, file := d.place(key)
	data, err := ReadBounded(file, wire.MaxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, wrap("reading a record", err)
	}
	if wire.CheckRecord(wire.Key(key), data) != nil {
		return nil, ErrCorrupt
	}
	return data, nil
}

// ReadBounded reads a file, but at most one byte more than the most bytes that it
// may have: so a file that is too large, or has grown, is noticed and not held in
// memory.
func ReadBounded(file string, most int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	return data, errors.Join(err, f.Close())
}

// Len is how many records and bytes are here. It reads all directories.
func (d *Disk) Len() (records int, bytes int64, err error) {
	err = filepath.WalkDir(d.dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), partPrefix) || strings.HasSuffix(e.Name(), damagedSuffix) {
			return err
		}
		if info, err := e.Info(); err == nil { // else it was set aside since
			records, bytes = records+1, bytes+info.Size()
		}
		return nil
	})
	return records, bytes, wrap("counting records", err)
}
