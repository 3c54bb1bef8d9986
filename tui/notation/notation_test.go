package notation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/semantic"
)

// labels returns the labels of a trace with states Idle 0, Running 1, Waiting a message 3, and an event type 40 "MPI
// call" with the values 1 "MPI_Send" and 2 "MPI_Recv".
func labels() *prv.Labels {
	l := &prv.Labels{}
	for v, name := range map[int64]string{0: "Idle", 1: "Running", 3: "Waiting a message"} {
		l.AddState(v, name)
	}
	l.AddType(40, "MPI call", prv.ValueLabel{Value: 1, Label: "MPI_Send"}, prv.ValueLabel{Value: 2, Label: "MPI_Recv"})
	return l
}

func TestParseCall(t *testing.T) {
	for text, want := range map[string]string{
		"In State 1,3":         "In State [[1 3]]",
		"In State Running":     "In State [[1]]",
		"in state waiting":     "In State [[3]]",
		"useful":               "Useful []",
		"given sta":            "Given State []", // a part of a name
		"= state == 1":         semantic.UserFunction + " [] state == 1",
		"State As Is 1 2":      "error",
		"In State 1,x":         "error",
		"In State {1,3}":       "In State [[1 3]]",
		"In State{ 1, 3 }":     "In State [[1 3]]",
		"In State {Running}":   "In State [[1]]",
		"In State {1,3":        "error",
		"In State {1} 3":       "error",
		"no function has this": "error",
	} {
		c, err := ParseCall(semantic.ThreadFunctions, text, labels(), semantic.Nanoseconds)
		got := fmt.Sprintf("%s %v", c.Name, c.Params)
		if c.Expression != "" {
			got += " " + c.Expression
		}
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q: %s, want %s (%v)", text, got, want, err)
		}
	}
}

func TestParseCallOfTwoParameters(t *testing.T) {
	for _, text := range []string{"Select Range 10 2", "Select Range {10} {2}", "select range {10}, {2}"} {
		if c, err := ParseCall(semantic.ComposeFunctions, text, nil, semantic.Nanoseconds); err != nil ||
			fmt.Sprint(c.Name, c.Params) != "Select Range[[10] [2]]" {
			t.Errorf("%q: %s %v (%v)", text, c.Name, c.Params, err)
		}
	}
}

func TestCompleteExpression(t *testing.T) {
	for _, c := range []struct {
		family semantic.Family
		text   string
		want   []string
	}{
		{semantic.ThreadFunctions, "= state == 1 || next_v", []string{"= state == 1 || next_value"}},
		{semantic.ComposeFunctions, "= pre", []string{"= prev"}},
	} {
		if got := CompleteCall(c.family, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q is completed to %q, want %q", c.text, got, c.want)
		}
	}
	if got := CompleteCall(semantic.ThreadFunctions, "In State 1"); got != nil {
		t.Errorf("parameters are completed by %q", got)
	}
}

// TestParseQuery looks for three records: the event 40:2, a message of 2000 bytes with tag 5, the state Running.
func TestParseQuery(t *testing.T) {
	message := &prv.Comms{Tag: []int64{5}, Size: []int64{2000}}
	for text, want := range map[string][3]bool{
		"40:2":              {true, false, false},
		"type=40 value>1":   {true, false, false},
		"value=MPI_Recv":    {true, false, false},
		"value=MPI_Send":    {},
		"mpi call":          {true, false, false},
		"tag=5 size>1000":   {false, true, false},
		"tag=5 size<1000":   {},
		"state=run":         {false, false, true},
		`state="a message"`: {},
	} {
		q, err := ParseQuery(text, labels())
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got := [3]bool{!q.Messages() && !q.States() && q.Event(40, 2, 2), q.Messages() && q.Message(message, 0),
			q.States() && q.State[1]}
		if got != want {
			t.Errorf("%q finds %v, want %v", text, got, want)
		}
	}
	for _, wrong := range []string{"", "type=40 tag=5", "size=x", "frob=1", `"open`, "no such label"} {
		if _, err := ParseQuery(wrong, labels()); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}

// Times count in the window's unit, here us; sizes are bytes; a bandwidth of 1 GB/s is 1000 bytes per us.
func TestAmounts(t *testing.T) {
	c, err := ParseCall(semantic.ComposeFunctions, "Select Range 10ms 2us", labels(), semantic.Microseconds)
	if err != nil || fmt.Sprint(c.Params) != "[[10000] [2]]" {
		t.Errorf("%v (%v)", c, err)
	}
	f, err := ParseFilter("size>64KiB bandwidth<1GB/s", labels(), semantic.Microseconds)
	if err != nil || FilterText(&f) != "size>65536 bandwidth<1000" {
		t.Errorf("%s (%v)", FilterText(&f), err)
	}
	for text, want := range map[string]string{"size>1ms": `"1ms" is no size`, "size>1zB": `unknown unit "zB"`,
		"size>1GB/s": `"1GB/s" is no size`} {
		if _, err := ParseFilter(text, labels(), semantic.Microseconds); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// After an operand no name can follow: "1ms)" is not completed to "1ms)burst".
func TestCompleteBehindOperand(t *testing.T) {
	for text, want := range map[string]int{"= value * (duration > 1ms)": 0, "= value ": 0, "= dur": 1,
		"= value * (du": 1} {
		if got := CompleteCall(semantic.ComposeFunctions, text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}
