package cfg

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"pview/prv"
)

// FuzzCfg reads anything: it must not crash or hang, and what it accepts must bind
// to a trace and come back from saving unchanged.
func FuzzCfg(f *testing.F) {
	for i, path := range kitFiles(f) {
		if i%7 == 0 { // enough of each kind
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	for _, text := range oldFiles {
		f.Add([]byte(text))
	}
	trace, err := prv.Open(context.Background(), filepath.Join(kit, "traces", "tr04_hybrid.prv"), prv.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, _, err := Read("fuzz.cfg", bytes.NewReader(text))
		if err != nil {
			return
		}
		file.Bind(trace, true)
		saveAndReopen(t, file)
	})
}
