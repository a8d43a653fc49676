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
// records and, at worst, files with a prefix of their own that Open removes. What
// is read is verified. It is safe for concurrent use within one process.
type Disk struct {
	dir    string
	create func(dir string) (partFile, error)
}

// partFile is a file while it is written; tests have files that fail.
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
	parts, err := filepath.Glob(filepath.Join(dir, "[0-9a-f][0-9a-f]", partPrefix+"*"))
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	for _, p := range parts {
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	return &Disk{dir: dir, create: createPart}, nil
}

func createPart(dir string) (partFile, error) { return os.CreateTemp(dir, partPrefix+"*") }

func (d *Disk) path(key scheduler.Key) (dir, file string) {
	name := hex.EncodeToString(key[:])
	dir = filepath.Join(d.dir, name[:2])
	return dir, filepath.Join(dir, name)
}

// Put keeps a record. When it returns nil the record survives a crash: the file and
// both directories that name it are synced. On failure nothing is left of it; a
// full disk is ErrFull.
func (d *Disk) Put(key scheduler.Key, data []byte) error {
	dir, file := d.path(key)
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	if err := d.shelf(dir); err != nil {
		return wrap("making a directory", err)
	}
	part, err := d.write(dir, data)
	if err != nil {
		return wrap("writing a record", err)
	}
	if err := os.Rename(part, file); err != nil {
		return wrap("naming a record", errors.Join(err, os.Remove(part)))
	}
	return wrap("syncing a directory", syncDir(dir))
}

// shelf makes a directory of records, and makes sure that it stays.
func (d *Disk) shelf(dir string) error {
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncDir(d.dir)
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
	_, file := d.path(key)
	data, err := readBounded(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, wrap("reading a record", err)
	}
	if wire.CheckRecord(wire.Key(key), data) != nil {
		return nil, errors.Join(ErrCorrupt, os.Rename(file, file+damagedSuffix))
	}
	return data, nil
}

// readBounded reads at most one byte more than a record may have, so that a file
// that grew is not taken into memory.
func readBounded(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, wire.MaxRecord+1))
	return data, errors.Join(err, f.Close())
}

// Len is how many records and bytes are here. It reads all directories.
func (d *Disk) Len() (records int, bytes int64, err error) {
	err = filepath.WalkDir(d.dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), partPrefix) || strings.HasSuffix(e.Name(), damagedSuffix) {
			return err
		}
		info, err := e.Info()
		if err == nil {
			records, bytes = records+1, bytes+info.Size()
		}
		return err
	})
	return records, bytes, wrap("counting records", err)
}
