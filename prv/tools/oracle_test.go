package tools

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pview/prv"
)

const kit = "../../testdata/oracle/paraver"

// The results equal those of Paraver's own tools byte for byte, except for the header's date and the date and path in
// the cutter's comment.
func TestResultsOfParaver(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(kit, "tools", "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(index)), "\n")[1:] {
		f := strings.Split(line, "\t")
		result, trace, tool, options := f[0], f[1], f[2], f[3]
		t.Run(result, func(t *testing.T) {
			in := filepath.Join(kit, "traces", trace+".prv")
			out := filepath.Join(t.TempDir(), "out.prv")
			if err := runTool(t, tool, in, out, filepath.Join(kit, "tools", options)); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(kit, "tools", result))
			if err != nil {
				t.Fatal(err)
			}
			if d := firstDifference(normalised(got), normalised(want)); d != "" {
				t.Error(d)
			}
			if _, err := prv.Open(t.Context(), out, prv.Options{Strict: true}); err != nil {
				t.Errorf("the result does not open: %v", err)
			}
		})
	}
}

func runTool(t *testing.T, tool, in, out, options string) error {
	src := Source{Path: in}
	f, err := os.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if strings.HasPrefix(tool, "shifter") {
		times, err := ParseShiftTimes(options, f)
		if err != nil {
			return err
		}
		level := prv.LevelThread
		if strings.Contains(tool, "whole") {
			level = prv.LevelWorkload
		}
		_, err = Shift(t.Context(), src, out, ShiftOptions{Times: times, Level: level, AsParaver: true})
		return err
	}
	o, err := ReadOptions(options, f)
	if err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(tool, "cutter"):
		_, err = Cut(t.Context(), src, out, *o.Cut, time.Now())
	case tool == "filter":
		_, err = Filter(t.Context(), src, out, *o.Filter)
	default:
		_, err = Count(t.Context(), src, out, *o.Count)
	}
	return err
}

var dates = regexp.MustCompile(`(?m)^#Paraver \([^)]*\)|^#\d{14}:CUTTER:ORIGINAL:"[^"]*"`)

func normalised(text []byte) []byte { return dates.ReplaceAll(text, []byte("#DATE")) }

// firstDifference returns where two texts differ; "" if they are equal.
func firstDifference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(g), len(w)) {
		a, b := "(end)", "(end)"
		if i < len(g) {
			a = string(g[i])
		}
		if i < len(w) {
			b = string(w[i])
		}
		if a != b {
			return fmt.Sprintf("line %d: %s, want %s", i+1, a, b)
		}
	}
	return ""
}
