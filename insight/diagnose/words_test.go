package diagnose_test

import (
	"context"
	"path/filepath"
	"testing"

	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
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
