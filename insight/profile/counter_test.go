package profile

import (
	"fmt"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/execution"
)

// From 100 to 200, which executions and messages of entries count. A line is a time with an entry that begins (A, B;
// a, b without a message, as when one goes on), ends (0), or creates a message (+).
func TestCounter(t *testing.T) {
	for text, want := range map[string]string{
		"100A 140.0":                          "map[1:1] map[]",
		"90A 100.0":                           "map[] map[]",
		"90A 101.0":                           "map[1:1] map[]",
		"100A 100.0":                          "map[1:1] map[]", // takes no time
		"150A 150.0":                          "map[1:1] map[]",
		"99A 99.0":                            "map[] map[]",
		"200A 200.0":                          "map[] map[]",
		"199A 210.0":                          "map[1:1] map[]",
		"150A":                                "map[1:1] map[]", // has no end
		"150A 160B 170.0":                     "map[1:1 2:1] map[]",
		"110A 120.0 130A 140.0":               "map[1:2] map[]",
		"110A 120b 130.0 130a 140.0":          "map[1:1 2:1] map[]",
		"110A 120b 130.0 130A 140.0":          "map[1:2 2:1] map[]",
		"80A 95.0 120a 130.0":                 "map[1:1] map[]",
		"80A 110.0 120a 130.0 140A 150.0":     "map[1:2] map[]",
		"90A 99+ 100+ 199+ 210.0":             "map[1:1] map[1:2]",
		"90A 99+ 100+ 199+ 200+ 210.0":        "map[1:1] map[1:2]",
		"110A 120.0 120+ 121+ 130.0 130+":     "map[1:1] map[1:1]",
		"110+ 120A 130.0 130B 130+ 140.0":     "map[1:1 2:1] map[2:1]",
		"110A 120B 125+ 130.0 130a 135+ 140+": "map[1:1 2:1] map[1:2 2:1]",
	} {
		h := prv.Header{Unit: prv.Nanoseconds}
		h.AddNode(1)
		h.AddPtask()
		h.AddTask(1, 0)
		b := prv.NewBuilder(h)
		for _, line := range strings.Fields(text) {
			var time int64
			var what string
			if _, err := fmt.Sscanf(line, "%d%s", &time, &what); err != nil {
				t.Fatal(err)
			}
			entry := strings.Index("AB", strings.ToUpper(what)) + 1 // 0: none
			pairs := []prv.Pair{{Type: execution.Entry.Type(), Value: int64(entry)}}
			if what == "+" {
				pairs[0] = prv.Pair{Type: execution.Created.Type(), Value: 1}
			} else if what == "A" || what == "B" {
				pairs = append(pairs, prv.Pair{Type: execution.Message.Type(), Value: 1})
			}
			b.Event(0, 0, time, pairs...)
		}
		tr, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		c := counter{begin: 100, end: 200, types: execution.TypesOf(&prv.Labels{}), executions: map[int64]int64{},
			messages: map[int64]int64{}}
		c.thread(&tr.Threads[0].Events)
		if got := fmt.Sprint(c.executions, c.messages); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
