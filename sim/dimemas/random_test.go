package dimemas_test

import (
	"reflect"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/dimemas"
)

const randomFile = "Processor: NORMAL 1 2\nNetwork bandwidth: UNIFORM -10 10\nNetwork latency: NORMAL 0 " +
	"500\nMemory bandwidth: NONE 0 0\n" +
	"Memory latency: NONE\nExternal Network bandwidth: NONE\nExternal Network latency: UNIFORM 0 100\n"

// A random file adds values to latencies (ns) and bandwidths (MB/s); that of the processor does nothing.
func TestRandomFile(t *testing.T) {
	m := sim.Ideal(2)
	if err := dimemas.ParseRandom(m, "random.cfg", []byte(randomFile)); err != nil {
		t.Fatal(err)
	}
	want := []sim.Variation{
		{Parameter: "bandwidth", Distribution: sim.Distribution{Kind: "uniform", Params: [3]float64{-10, 10}},
			Added: true},
		{Parameter: "latency", Distribution: sim.Distribution{Kind: "normal", Params: [3]float64{0, 500}}, Added: true},
		{Parameter: "wan-latency", Distribution: sim.Distribution{Kind: "uniform", Params: [3]float64{0, 100}},
			Added: true},
	}
	if !reflect.DeepEqual(m.Random, want) {
		t.Errorf("%v", m.Random)
	}
	again := sim.Ideal(2)
	if err := dimemas.ParseRandom(again, "written", []byte(dimemas.WriteRandom(m))); err != nil ||
		!reflect.DeepEqual(again.Random, want) {
		t.Errorf("written and read again: %v, %v", again.Random, err)
	}
	if text := dimemas.WriteRandom(sim.Ideal(2)); text != "" {
		t.Errorf("a random file of a machine without: %s", text)
	}
	for text, why := range map[string]string{
		"Network latency: NONE\n": `random.cfg:1: "Network latency: NONE" where Processor: is expected`,
		"Processor: NONE\n":       "Network bandwidth: is missing",
		"Processor: POISSON 3\n":  "it is NONE, NORMAL mean deviation, or UNIFORM left right",
		strings.Replace(randomFile, "0 500", "0 x",
			1): `random.cfg:3: Network latency: "x" is not a number`,
		strings.Replace(randomFile, "UNIFORM -10 10", "UNIFORM 10 1", 1): "the least is more than the most",
		randomFile + "More: NONE\n":                                      "a line after the last",
	} {
		if err := dimemas.ParseRandom(sim.Ideal(1), "random.cfg", []byte(text)); err == nil ||
			!strings.Contains(err.Error(), why) {
			t.Errorf("%v, not %s", err, why)
		}
	}
}
