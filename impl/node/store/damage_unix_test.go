//go:build unix

package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestKeptAnewMeanwhile: a call that read a damaged record sets aside nothing that was kept in its place since, and
// returns that.
func TestKeptAnewMeanwhile(t *testing.T) {
	d := open(t, t.TempDir())
	accepts(t, d)
	k, data := record(1)
	_, file := d.place(k)
	good := filepath.Join(d.dir, "good")
	if err := errors.Join(os.Rename(file, good), syscall.Mkfifo(file, 0o644)); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if got, err := d.Get(k); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}()
	pipe, err := os.OpenFile(file, os.O_WRONLY, 0) // waits for the reader
	if err != nil {
		t.Fatal(err)
	}
	_, err = pipe.WriteString("damaged")
	if err := errors.Join(err, os.Rename(good, file), pipe.Close()); err != nil {
		t.Error(err)
	}
	<-done
	if n, _, err := d.Len(); n != 1 || err != nil {
		t.Errorf("%d records, %v", n, err)
	}
}
