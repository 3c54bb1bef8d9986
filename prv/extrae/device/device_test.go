package device

import (
	"testing"

	"pview/prv"
)

// Streams are identified by the names that tracers give their threads; other thread names are not taken for streams.
func TestStreamOf(t *testing.T) {
	tests := []struct {
		name string
		want Stream
		ok   bool
	}{
		{"CUDA-D0.S7", Stream{"CUDA", 0, 7}, true},
		{"CUDA-D1.S20 NCCL", Stream{"CUDA", 1, 20}, true},
		{"HIP[1:0]", Stream{"HIP", 1, 0}, true},
		{"HIP[1:0] copy", Stream{}, false},
		{"CUDA-D0", Stream{}, false},
		{"Master thread", Stream{}, false},
		{"OMP[1]", Stream{}, false},
	}
	for _, test := range tests {
		tr := &prv.Trace{Names: &prv.Names{}}
		tr.Names.Levels[prv.LevelThread] = []string{test.name}
		if s, ok := StreamOf(tr, 0); ok != test.ok || ok && s != test.want {
			t.Errorf("%q is %v, %v", test.name, s, ok)
		}
	}
}
