package index

import (
	"os"
	"path/filepath"
	"testing"
)

// A file of counts is trusted if its digest is right and its lists agree.
func TestReadCounts(t *testing.T) {
	for text, want := range map[string]bool{
		`{"event_lines":70}`: true, `{"states":[1],"state_counts":[2],"state_times":[3]}`: true,
		"": false, "{": false, `{"states":[1]}`: false, `{"types":[1],"type_counts":[1]}`: false,
	} {
		path := filepath.Join(t.TempDir(), countsFile)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if s := readCounts(path, digest([]byte(text))); (s != nil) != want {
			t.Errorf("%q is read as %+v", text, s)
		}
		if s := readCounts(path, digest([]byte(text+" "))); s != nil {
			t.Errorf("%q is believed with another digest", text)
		}
	}
}
