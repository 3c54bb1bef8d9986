package tracecmd

import (
	"errors"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/prv"
	"pview/render/document"
)

// The table of event types looks like any other, wherever its widest cells are.
func TestLongTableOfTypes(t *testing.T) {
	types := make([]prv.TypeSum, 10_000)
	for i := range types {
		types[i] = prv.TypeSum{Type: uint32(i * i), Count: int64(i), Distinct: 1}
	}
	types[2_500].Label, types[5_001].Count, types[7_999].Label, types[len(types)-1].More = "a wide one", 1_000_000,
		"L\u00e4nge \u4e2d", true
	heading := func(s string) string { return "<" + s + ">" }
	for _, n := range []int{1, 2_500, 2_501, 8_000, len(types)} {
		var got strings.Builder
		if err := writeTypes(&got, types[:n], heading); err != nil {
			t.Fatal(err)
		}
		want := &report.Table{Columns: []report.Column{{Title: "Event type", Show: report.Value}, {},
			{Title: "Events"}, {Title: "Values"},
			{}}}
		for _, v := range types[:n] {
			want.Add(int64(v.Type), v.Label, v.Count, v.Distinct, orMore(v.More))
		}
		if want := "\n" + document.TableText(want, "  ", heading); got.String() != want {
			t.Errorf("%d types: it begins with %.100q, want %.100q", n, got.String(), want)
		}
	}
	if err := writeTypes(fullDevice{}, types, heading); err == nil {
		t.Error("no error of a device that is full")
	}
}

// fullDevice takes no bytes.
type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }
