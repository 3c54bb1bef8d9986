package record

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pview/prv"
)

// tuneFile writes the variables of two ranks: "tile", an integer that both have registered, and "omega", which only
// rank 1 has. Rank 0 has called pview_sync three times, rank 1 five times.
func tuneFile(t *testing.T, dir string) (path string) {
	t.Helper()
	b := make([]byte, tuneHeader+2*tuneRank+tuneSlots*tuneSlot)
	le := binary.LittleEndian
	copy(b, tuneMagic)
	le.PutUint32(b[8:], 2)
	le.PutUint32(b[12:], tuneSlots)
	for rank, w := range [][2]uint64{{1, 3}, {3, 5}} {
		le.PutUint64(b[tuneHeader+rank*tuneRank:], w[0])
		le.PutUint32(b[tuneHeader+rank*tuneRank+8:], uint32(w[1]))
	}
	for i, v := range []struct {
		name             string
		whole            byte
		low, high, value float64
	}{{"tile", 1, 8, 64, 32}, {"omega", 0, 0.5, 1.9, 1.25}} {
		s := b[tuneHeader+2*tuneRank+i*tuneSlot:]
		copy(s, v.name)
		le.PutUint32(s[64:], slotReady)
		s[68] = v.whole
		for k, f := range []float64{v.low, v.high, v.value} {
			le.PutUint64(s[72+8*k:], math.Float64bits(f))
		}
	}
	path = filepath.Join(dir, fmt.Sprintf("%016x.tune", 1))
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A change takes effect at a call of pview_sync that no rank has reached: two calls ahead if two ranks have the
// variable, at the next one if one has it. No further change is made until all ranks get there.
func TestTuning(t *testing.T) {
	dir := t.TempDir()
	if tuning, err := OpenTuning(dir); tuning != nil || err != nil {
		t.Fatalf("without a file: %v, %v", tuning, err)
	}
	path := tuneFile(t, dir)
	tuning, err := OpenTuning(dir)
	if err != nil || tuning == nil {
		t.Fatal(tuning, err)
	}
	defer tuning.Close()
	want := []Tunable{{"tile", true, 8, 64, 32, []int{0, 1}}, {"omega", false, 0.5, 1.9, 1.25, []int{1}}}
	if got := tuning.Tunables(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := want[0].Text(31.6) + " " + want[1].Text(1.23456); got != "32 1.23" {
		t.Errorf("as texts: %s", got)
	}
	if at := tuning.Set(0, 16, 9); at != 7 { // the furthest has called it 5 times
		t.Errorf("tile changes at call %d, want 7", at)
	}
	if at := tuning.Set(1, 1.5, 10); at != 6 {
		t.Errorf("omega changes at call %d, want 6", at)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	slot := file[tuneHeader+2*tuneRank:]
	le := binary.LittleEndian
	if v := math.Float64frombits(le.Uint64(slot[96:])); v != 16 || le.Uint64(slot[104:]) != 7<<2|final ||
		le.Uint64(slot[112:]) != 9 {
		t.Errorf("the file has %g at %d by decision %d", v, le.Uint64(slot[104:])>>2, le.Uint64(slot[112:]))
	}
	syncs := func(rank int, n uint32) { le.PutUint32(tuning.mapping[tuneHeader+rank*tuneRank+8:], n) }
	syncs(1, 7)
	if !tuning.Pending(0) || tuning.Pending(1) {
		t.Errorf("rank 0 is behind: pending %v, %v", tuning.Pending(0), tuning.Pending(1))
	}
	if at := tuning.Set(0, 24, 11); at != 0 {
		t.Errorf("changed at %d, before the change before", at)
	}
	syncs(0, 7)
	if tuning.Pending(0) {
		t.Error("pending, though all ranks are there")
	}
	if at := tuning.Set(0, 24, 11); at != 9 {
		t.Errorf("tile changes at call %d, want 9", at)
	}
}

// Truncated files, and files of another kind, have no variables.
func TestTuneFiles(t *testing.T) {
	b, err := os.ReadFile(tuneFile(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	if got := tuneRanks(b); got != 2 {
		t.Errorf("%d ranks, want 2", got)
	}
	other := append([]byte{}, b...)
	other[0] = 'X'
	slots := append([]byte{}, b...)
	slots[12]++
	for name, file := range map[string][]byte{"short": b[:len(b)-1], "header": b[:tuneHeader-1], "magic": other,
		"slots": slots, "empty": nil} {
		if got := tuneRanks(file); got != 0 {
			t.Errorf("%s: %d ranks", name, got)
		}
	}
}

// Event types of steering are named after the variables; their values have the texts of decisions.
func TestLabelsOfSteering(t *testing.T) {
	dir := t.TempDir()
	w := newFile(t, dir, 0, 1)
	w.init(0, 1)
	for i, typ := range []uint32{TypeSync, TypeDecision, typeTunable, typeTunable + 1, typeTunable + 2,
		typeTunable + 63, typeTunable + 64} {
		w.put(rec{kind: kindEvent, begin: 1200 + int64(i), end: 1200 + int64(i), request: typ, aux: 1})
	}
	w.put(rec{kind: callFinalize, begin: 1400, end: 1500})
	w.ends()
	tuneFile(t, dir)
	if err := WriteDecisions(dir, []string{"tile from 32\n to 16", "back"}); err != nil {
		t.Fatal(err)
	}
	l := opened(t, dir).Labels
	for typ, want := range map[uint32]string{TypeSync: "Iteration (pview_sync)", TypeDecision: "Steering decision",
		typeTunable: "tile", typeTunable + 1: "omega (millionths)", typeTunable + 2: "Variable 3 of the program",
		typeTunable + 63: "Variable 64 of the program", typeTunable + 64: "Event 9990164 of the program"} {
		if got := l.TypeName(typ); got != want {
			t.Errorf("type %d is %q, want %q", typ, got, want)
		}
	}
	e, _ := l.Type(TypeDecision)
	if want := []prv.ValueLabel{{Value: 1, Label: "tile from 32 to 16"}, {Value: 2, Label: "back"}}; !reflect.DeepEqual(
		e.Values, want) {
		t.Errorf("decisions %v, want %v", e.Values, want)
	}
	if err := WriteDecisions(t.TempDir(), []string{"none"}); err != nil {
		t.Errorf("a run without variables: %v", err)
	}
}
