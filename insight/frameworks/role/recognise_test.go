package role

import (
	"strings"
	"testing"
)

// Workers without tasks wait in a collective operation, which may take most of the communication time: that makes no
// SPMD program of messages that have a structure.
func TestCollectivesBesideStructure(t *testing.T) {
	for accepted, want := range map[bool]string{
		true:  "which the models leave out, though its messages are those of a master-worker. If it is one, tell",
		false: ": an SPMD program, to which the models do not apply. If it is a master",
	} {
		r := Recognition{Collectives: 0.55, Scores: []Score{{Kind: MasterWorker, Value: 1, Accepted: accepted}}}
		if r.decide(); !strings.Contains(r.Refusal, want) {
			t.Errorf("%q, want %q", r.Refusal, want)
		}
	}
}
