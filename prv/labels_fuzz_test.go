package prv_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pview/prv"
	"pview/prv/prvtest"
)

// addFiles gives a fuzzer the small files that match as seeds.
func addFiles(f *testing.F, patterns ...string) {
	f.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b[:min(len(b), 700)])
		}
	}
}

// checkPrintable fails on text that could act on a terminal.
func checkPrintable(t *testing.T, what, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("%s is not UTF-8: %q", what, s)
	}
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			t.Fatalf("%s has an invisible character: %q", what, s)
		}
	}
}

// FuzzLabels: any text can be read safely, every label can be printed, and everything understood survives writing and
// reading.
func FuzzLabels(f *testing.F) {
	addFiles(f, "../testdata/traces/*/*.pcf", "../testdata/oracle/paraver/traces/tr07*.pcf")
	for _, s := range []string{
		prvtest.SmallPCF, strings.ReplaceAll(prvtest.SmallPCF, "\n", "\r\n"), "\ufeffSTATES\n0 Idle",
		"EVENT_TYPE\n0 1 a\n0 1 b\nVALUES\n1 x\n1 y\nEVENT_TYPE\n0 1 c\nVALUES\n1 z\nPRECISION 300\n",
		"STATES\n1 caf\xe9\x9b\n", "DEFAULT_OPTIONS\nA\n\nB\n\nC\n#\nD", "STATES_COLOR\n1 {1,2,3}\n1 {{,,}}\n",
		"\nX_Y\nSTATES\n0",
	} {
		f.Add([]byte(s))
	}
	base := readTrace(f, prvtest.Canonical)
	f.Fuzz(func(t *testing.T, text []byte) {
		l, notes, err := prv.ParseLabels("x.pcf", bytes.NewReader(text))
		if err != nil || l == nil {
			t.Fatalf("labels %v, error %v", l, err)
		}
		if len(notes) > 101 {
			t.Fatalf("%d notes", len(notes))
		}
		for _, n := range notes {
			checkPrintable(t, "note", n.Text)
		}
		for _, s := range l.States {
			if got := l.StateName(s.Value); got != s.Label {
				t.Fatalf("state %d is %q and %q", s.Value, got, s.Label)
			}
			checkPrintable(t, "state", s.Label)
		}
		for i := range l.Types {
			e := &l.Types[i]
			if found, ok := l.Type(e.Type); !ok || found != e {
				t.Fatalf("type %d is not found", e.Type)
			}
			checkPrintable(t, "type", l.TypeName(e.Type))
			for _, v := range e.Values {
				if got := l.ValueName(e.Type, v.Value); got != v.Label {
					t.Fatalf("value %d of type %d is %q and %q", v.Value, e.Type, got, v.Label)
				}
				checkPrintable(t, "value", v.Label)
			}
			e.Format(12345)
		}
		var b bytes.Buffer
		if err := prv.WriteLabels(&b, l); err != nil {
			t.Fatal(err)
		}
		again, notes, err := prv.ParseLabels("x.pcf", &b)
		if err != nil {
			t.Fatal(err)
		}
		x, y := *base, *base
		x.Labels, y.Labels = l, again
		if err := prv.Equal(&x, &y); err != nil {
			t.Fatalf("%v; notes on what was written: %v", err, notes)
		}
	})
}

// FuzzNames: the same for a .row.
func FuzzNames(f *testing.F) {
	addFiles(f, "../testdata/traces/*/*.row", "../testdata/oracle/paraver/traces/*.row")
	for _, s := range []string{
		prvtest.SmallROW, "LEVEL NODE SIZE 99999999999999999999\na", "LEVEL NODE SIZE 0\nLEVEL NODE SIZE 2\na\n\n\nb",
		"LEVEL\nLEVEL X SIZE 1\na",
		"LEVEL THREAD SIZE 2\ncaf\xe9\x9b\n\x1b[2J",
		"LEVEL WORKLOAD SIZE 1\nx\nLEVEL APPLICATION SIZE 1\ny\nLEVEL SYSTEM SIZE 1\nz",
	} {
		f.Add([]byte(s))
	}
	base := readTrace(f, prvtest.Canonical)
	f.Fuzz(func(t *testing.T, text []byte) {
		n, notes, err := prv.ParseNames("x.row", bytes.NewReader(text))
		if err != nil || n == nil {
			t.Fatalf("names %v, error %v", n, err)
		}
		if len(notes) > 101 {
			t.Fatalf("%d notes", len(notes))
		}
		for _, l := range prv.Levels {
			for i, name := range n.Levels[l] {
				if got, ok := n.Lookup(l, i); ok != (name != "") || got != name {
					t.Fatalf("%s %d is %q, %v", l, i, got, ok)
				}
				checkPrintable(t, "name", name)
			}
		}
		var b bytes.Buffer
		if err := prv.WriteNames(&b, n); err != nil {
			t.Fatal(err)
		}
		again, notes, err := prv.ParseNames("x.row", &b)
		if err != nil {
			t.Fatal(err)
		}
		x, y := *base, *base
		x.Names, y.Names = n, again
		if err := prv.Equal(&x, &y); err != nil {
			t.Fatalf("%v; notes on what was written: %v", err, notes)
		}
	})
}

// FuzzRoundTrip: whatever can be read as a trace can be written, and reads back equal, without bad records.
func FuzzRoundTrip(f *testing.F) {
	addFiles(f, "../testdata/traces/*/*.prv", "../testdata/oracle/paraver/traces/*.prv")
	f.Add([]byte(prvtest.Canonical))
	f.Add(
		[]byte(
			"#Paraver ():100:0:1:2(1:0,1:0)\n1:0:1:1:1:50:60:1\n1:0:1:1:1:0:50:2\n3:0:1:1:1:90:90:0:1:2:1:95:95:1:1\n" +
				"3:0:1:2:1:10:10:0:1:1:1:15:15:1:2\n",
		))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := prv.Read(context.Background(), bytes.NewReader(text), prv.Options{Name: "x.prv", Workers: 1})
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := prv.Write(context.Background(), &b, a); err != nil {
			t.Fatal(err)
		}
		again, err := prv.Read(context.Background(), bytes.NewReader(b.Bytes()),
			prv.Options{Name: "y.prv", Workers: 1, Strict: true})
		if err != nil {
			t.Fatalf("%v; written:\n%s", err, b.Bytes())
		}
		if err := prv.Equal(a, again); err != nil {
			t.Fatalf("%v; written:\n%s", err, b.Bytes())
		}
		if _, err := prv.Summarize(context.Background(), a); err != nil {
			t.Fatal(err)
		}
	})
}
