package engine_test

import (
	"testing"

	"pview/prv"
	"pview/prv/extrae"
	"pview/sim"
)

// Every state that a simulation writes has a meaning, by both numberings.
func TestStatesHaveMeanings(t *testing.T) {
	today, thesis := extrae.StatesOf(&prv.Labels{}, extrae.Simulator), extrae.StatesOf(&prv.Labels{}, extrae.Thesis)
	for _, s := range sim.States {
		if m := today.Meaning(uint32(s.Value)); m == extrae.Unknown && s.Value != sim.StateCollectiveWork {
			t.Errorf("%s (%d) has no meaning", s.Name, s.Value)
		}
		if thesis.Meaning(uint32(s.Thesis)) == extrae.Unknown {
			t.Errorf("%s (%d of the thesis) has no meaning", s.Name, s.Thesis)
		}
	}
}
