package replay_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pview/insight/replay"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae/execution"
)

// traces are those of the repository and, where they are there, those of the kit.
func traces() (list []string) {
	for _, pattern := range []string{"../../testdata/traces/*/*.prv*", "../../../shared/traces/*/*.prv*",
		"../../../shared/faults/examples/*/*.prv.gz", os.Getenv("PVIEW_CASES")} {
		found, _ := filepath.Glob(pattern)
		list = append(list, found...)
	}
	return list
}

// modelOf builds the model of a trace; nil for a message-driven run.
func modelOf(t *testing.T, path string) *replay.Model {
	t.Helper()
	trace, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Skip(err)
	}
	if execution.IsDriven(trace) {
		return nil
	}
	return runtest.Model(t, trace)
}

// Without a change the replay ends when the run did, within a thousandth, where the clocks do not contradict each
// other.
func TestReplays(t *testing.T) {
	paths := traces()
	if len(paths) == 0 {
		t.Fatal("no traces")
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			m := modelOf(t, path)
			if m == nil || m.Skewed > 0 {
				return
			}
			if off := m.Base() - m.End; max(off, -off)*1000 > m.End {
				t.Errorf("ends at %d, the run at %d", m.Base(), m.End)
			}
		})
	}
}

// An edit that takes a time away and puts it back changes nothing, and edits of other places add up.
func TestEdits(t *testing.T) {
	paths := traces()
	m := modelOf(t, paths[0])
	if m == nil {
		t.Skip("message-driven")
	}
	node := m.Last[0]
	for n, own := range m.Own {
		if own > m.Own[node] {
			node = int32(n)
		}
	}
	one, two := m.NewEdit(), m.NewEdit()
	one.Add(node, -m.Own[node]/2)
	two.Add(node, m.Own[node]/2)
	if got := m.Run(one.Join(two)); max(got-m.Base(), m.Base()-got) > 1 {
		t.Errorf("there and back: %d instead of %d", got, m.Base())
	}
	if m.Gain(one) < 0 || m.Gain(two) > 0 {
		t.Errorf("less time gains %d, more %d", m.Gain(one), m.Gain(two))
	}
}
