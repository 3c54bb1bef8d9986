//go:build linux || darwin || freebsd

package mapped

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// file makes a file of n bytes 'x', and maps it.
func file(t *testing.T, n int, writable bool) (f *os.File, b []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.arrow")
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), n), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = Map(f, int64(n), writable); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		Unmap(b)
		f.Close()
	})
	return f, b
}

// sum reads all bytes.
//
//go:noinline
func sum(b []byte) (n int) {
	for _, c := range b {
		n += int(c)
	}
	return n
}

// A truncated file is an error at the first read past its end, and reads as zeros from then on.
func TestTruncated(t *testing.T) {
	const n = 1 << 20
	for _, writable := range []bool{false, true} {
		f, b := file(t, n, writable)
		f.Close() // as the readers do
		if err := os.Truncate(f.Name(), 0); err != nil {
			t.Fatal(err)
		}
		err := Guard(func() error { sum(b); return nil })
		var broken *Error
		if !errors.As(err, &broken) || broken.File != f.Name() {
			t.Fatalf("writable %v: %v", writable, err)
		}
		if got := sum(b); got != 0 {
			t.Errorf("afterwards its bytes sum to %d", got)
		}
		if err := Check(b); !errors.As(err, &broken) {
			t.Errorf("Check says %v", err)
		}
	}
}

// Truncation within the last page causes no fault, but is detected.
func TestCheck(t *testing.T) {
	f, b := file(t, 1000, false)
	if err := Check(b); err != nil {
		t.Fatal(err)
	}
	other, untouched := file(t, 1000, false)
	if err := f.Truncate(900); err != nil {
		t.Fatal(err)
	}
	if err := Guard(func() error { sum(b); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := Check(b); err == nil || !strings.Contains(err.Error(), "truncated from 1000 to 900 bytes") {
		t.Errorf("Check says %v", err)
	}
	if err := Check(untouched); err != nil {
		t.Errorf("of the other: %v", err)
	}
	if err := os.Remove(other.Name()); err != nil {
		t.Fatal(err)
	}
	if err := Check(untouched); err != nil {
		t.Errorf("a removed file stays mapped, but: %v", err)
	}
}

// A panic from elsewhere is passed on.
func TestGuardLetsOthersThrough(t *testing.T) {
	defer func() {
		if r := recover(); r != "mine" {
			t.Errorf("recovered %v", r)
		}
	}()
	Guard(func() error { panic("mine") })
}

func TestGuardReturnsErrors(t *testing.T) {
	mine := errors.New("mine")
	if err := Guard(func() error { return mine }); err != mine {
		t.Error(err)
	}
	if err := Guard(func() error { return nil }); err != nil {
		t.Error(err)
	}
}
