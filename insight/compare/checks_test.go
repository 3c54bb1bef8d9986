package compare_test

import (
	"context"
	"path/filepath"
	"testing"

	"pview/insight/account"
	"pview/insight/compare"
	"pview/insight/eventgraph"
	"pview/insight/waits"
	"pview/internal/acceptance"
	"pview/prv"
)

// Every acceptance check of the requirements of compared runs has a test.
func TestChecksAreTests(t *testing.T) {
	acceptance.Verify(t, "../..", 10, acceptance.Table{
		1: "TestOneThread", 2: "TestComputingSplit", 3: "TestTwoThreads, TestRootCause", 4: "TestAnIterationMore",
		5: "TestScaling", 6: "TestSame", 7: "TestPrediction", 8: "TestAbsent",
		9: "TestThousandIterations", 10: "TestDifferentPrograms",
	})
}

// A4 of account.md: the categories of a comparison are the entries of the account, to the ns of a mean.
func TestCategoriesOfAccount(t *testing.T) {
	for _, name := range []string{"heat2d_8/heat2d_8.prv.gz", "hybrid_4x4/hybrid_4x4.prv.gz",
		"npb_cg_S_8_burst/npb_cg_S_8_burst.prv", "twoapps_4_4/twoapps_4_4.prv"} {
		ctx := context.Background()
		tr, err := prv.Open(ctx, filepath.Join("../../testdata/traces", name), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		graph, err := eventgraph.NewGraph(ctx, tr, waits.Options{}, eventgraph.Given{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := account.New(ctx, graph, account.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run := analyse(t, tr)
		sums := map[string]int64{}
		for _, p := range compared(t, run, run, compare.Matching{}).Of(compare.ByCategory) {
			sums[p.Name] = p.A.Int64()
		}
		for kind := range account.NumKinds {
			name := compare.Category(kind).String()
			want := a.Of(kind).Int64() / int64(a.Threads)
			if got := sums[name]; got < want || got > want+1 {
				t.Errorf("%s: %s takes %d ns of a thread on average, in the account %d", tr.Path, name, got, want)
			}
		}
	}
}
