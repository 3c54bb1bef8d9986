package diagnose_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/document"
)

// All findings on the traces of the repository.
func TestWords(t *testing.T) {
	for name, verify := range map[string]int{"callmix_4_skew": 3, "heat2d_8": 0, "hybrid_4x4": 0, "npb_cg_S_8_burst": 0,
		"twoapps_4_4": 2} {
		files, _ := filepath.Glob(filepath.Join(prvtest.Root(), "testdata", "traces", name, name+".prv*"))
		trace, err := prv.Open(context.Background(), files[0], prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		trace.Path = name
		r, err := diagnose.Analyze(context.Background(), trace, diagnose.Options{Verify: verify})
		if err != nil {
			t.Fatal(err)
		}
		prvtest.SameFile(t, "testdata/"+name+".txt", document.Text(answer.Document(r, trace, 0), nil))
	}
}

// All findings on runs with planted faults.
func TestWordsOfPlanted(t *testing.T) {
	var b strings.Builder
	for i, c := range plants {
		r := run(t, c.faulty().Run(t), diagnose.Default)
		fmt.Fprintf(&b, "=== %d, planted for %s\n", i+1, c.rule)
		for _, list := range [][]report.Finding{r.Findings, r.Minor} {
			for k := range list {
				b.WriteString(diagnose.Said(&list[k]))
			}
		}
	}
	prvtest.SameFile(t, "testdata/planted.txt", b.String())
}
