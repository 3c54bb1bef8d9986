package criticalpath_test

import (
	"context"
	"path/filepath"
	"testing"

	"pview/insight/criticalpath"
	"pview/prv"
	"pview/prv/kineto"
	"pview/prv/prvtest"
)

func pathOf(t *testing.T, name string) *criticalpath.Summary {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(prvtest.Shared(t, "oracle", "kineto", "cases"), name, "*.json*"))
	trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := criticalpath.Find(context.Background(), trace, criticalpath.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Summary(nil)
}

// A host launches A and C, C waits for A on another stream, and the host for C (us): host 10 and 5 of the launch of A,
// launch delay 5, A 200, gap 2, C 100, host 3 until its synchronisation returns, post 75: 400. The wait of the host is
// not on the path.
func TestDevicePath(t *testing.T) {
	s := pathOf(t, "c16-path")
	for kind, want := range map[criticalpath.Kind]int64{criticalpath.Computation: 375, criticalpath.Launch: 5,
		criticalpath.Gap: 2, criticalpath.Driver: 8, criticalpath.Other: 10} {
		if s.Kinds[kind] != want*1000 {
			t.Errorf("%s: %d ns, want %d us", kind, s.Kinds[kind], want)
		}
	}
	if s.Total != 400_000 || s.Jumps != 3 {
		t.Errorf("%d ns, %d jumps", s.Total, s.Jumps)
	}
}

// In the last collective all wait for rank 2: its transfer of 100 us is on the path, and the gemm of 800 us of rank 2
// before it; the waits of the others are not.
func TestStragglerPath(t *testing.T) {
	s := pathOf(t, "c02-straggler")
	if s.Kinds[criticalpath.Collective] != 100_000 || s.Kinds[criticalpath.Computation] != 800_000 ||
		s.Kinds[criticalpath.Waiting] != 0 || s.Total != 5_900_000 {
		t.Errorf("%v of %d", s.Kinds, s.Total)
	}
}
