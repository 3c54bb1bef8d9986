package calls

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/wide"
)

// Thread 1 is in solve from 10 to 90; within it in sweep from 20 to 40, and in MPI_Recv from 50 to 60 and from 70 to
// 75. From 92 to 96 it is again in sweep, outside of solve. Thread 2 is in solve from 0 to 30, and in nothing
// afterwards.
const treeText = `#Paraver (01/01/03 at 00:00):100:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:100:1
1:2:1:2:1:0:100:1
2:2:1:2:1:0:60000019:1
2:1:1:1:1:10:60000019:1
2:1:1:1:1:20:60000019:2
2:2:1:2:1:30:60000019:0
2:1:1:1:1:40:60000019:0
2:1:1:1:1:50:50000001:2
2:1:1:1:1:60:50000001:0
2:1:1:1:1:70:50000001:2
2:1:1:1:1:75:50000001:0
2:1:1:1:1:90:60000019:0
2:1:1:1:1:92:60000019:2
2:1:1:1:1:96:60000019:0
`

func TestTree(t *testing.T) {
	tr, err := prv.Read(context.Background(), strings.NewReader(treeText), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Labels, _, err = prv.ParseLabels("a.pcf", strings.NewReader(stackLabels)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		begin, end int64
		want       []string // depth, name, calls, own, inclusive, thread and interval of the longest call
	}{
		// solve takes 80 on thread 1 and 30 on thread 2: 110; without sweep (20) and MPI_Recv (10+5) 75. Outside of all
		// functions are thread 1 for 10+2+4 and thread 2 for 70, of 200.
		{0, 100, []string{"0  0 86 200", "1 solve 2 75 110 1 10-90", "2 sweep 1 20 20 1 20-40",
			"2 MPI_Recv 2 15 15 1 50-60", "1 sweep 1 4 4 1 92-96"}},
		// From 25 to 55, thread 1 is in solve for 30, of which sweep has 15 and MPI_Recv 5; thread 2 is in solve for 5
		// and in nothing for 25.
		{25, 55, []string{"0  0 25 60", "1 solve 2 15 35 1 25-55", "2 sweep 1 15 15 1 25-40",
			"2 MPI_Recv 1 5 5 1 50-55"}},
	} {
		tree, err := TreeOf(context.Background(), tr, []int32{0, 1}, c.begin, c.end)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		total := wide.Int{}
		for i, p := range tree.Paths {
			text := fmt.Sprintf("%d %s %d %s %s", p.Depth, p.Name, p.Calls, p.Own, p.Inclusive)
			if i > 0 {
				text += fmt.Sprintf(" %d %d-%d", p.Thread+1, p.Begin, p.End)
			}
			got, total = append(got, text), total.Plus(p.Own)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d to %d:\n%s\nwant\n%s", c.begin, c.end, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		if want := wide.Of(2 * (c.end - c.begin)); total != want {
			t.Errorf("own times sum up to %s, not %s", total, want)
		}
	}
	if _, err := TreeOf(context.Background(), tr, []int32{1}, 40, 50); err == nil {
		t.Error("a tree of no calls")
	}
}
