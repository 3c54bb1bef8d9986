package calls

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/prv"
)

// Functions nest, an end without a begin is ignored, and functions that are open at the end of the run end there;
// families do not mix.
func TestEach(t *testing.T) {
	tr, err := prv.Read(context.Background(), strings.NewReader(`#Paraver (01/01/2026 at 10:00):100:1(1):1:1(1:1)
2:1:1:1:1:1:60000019:0
2:1:1:1:1:10:60000019:5
2:1:1:1:1:20:60000019:6
2:1:1:1:1:25:50000001:1
2:1:1:1:1:30:60000019:0
2:1:1:1:1:35:50000001:0
2:1:1:1:1:40:60000019:7
2:1:1:1:1:41:1234:9
`), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = TypesOf(tr.Labels).Each(tr, 0, func(c Call) error {
		got = append(got, fmt.Sprintf("%d begins %d", c.Begin, c.Value))
		return nil
	}, func(c Call) error {
		got = append(got, fmt.Sprintf("%d ends %d of %s at depth %d", c.End, c.Value, Families[c.Family].Name, c.Depth))
		return nil
	})
	want :=
		"10 begins 5, 20 begins 6, 25 begins 1, 30 ends 6 of functions at depth 1, 35 ends 1 of MPI calls at depth " +
			"0, 40 begins 7, " +
			"100 ends 7 of functions at depth 1, 100 ends 5 of functions at depth 0"
	if strings.Join(got, ", ") != want || err != nil {
		t.Errorf("%v\n%s\nwant\n%s", err, strings.Join(got, ", "), want)
	}
}
