package diagnose_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/insight/diagnose"
	"pview/prv"
	"pview/prv/charm"
)

// Logs of Charm++: PE 0 creates a message for PE 1 at the end of a long entry, which waits for it; both clocks agree.
func TestCharmLogs(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"run.sts": "PROJECTIONS_ID;VERSION 11.0;MACHINE \"test\";PROCESSORS 2;TOTAL_CHARES 1;TOTAL_EPS 2;CHARE 0 " +
			"\"Main\" -1;ENTRY CHARE 0 \"Main()\" 0 0;ENTRY CHARE 1 \"work()\" 0 0;MESSAGE 0 8;END",
		"run.0.log": "PROJECTIONS-RECORD 5;6 0;2 1 0 0 -1 0 0 0 0 0 0 0 0;1 4 1 96 0 0 100 0;3 1 0 100 -1 0 0 0;14 " +
			"100 0;15 200 0;7 200",
		"run.1.log": "PROJECTIONS-RECORD 5;6 0;14 0 1;15 100 1;2 4 1 100 0 0 100 0 0 0 0 0 0;3 4 1 200 0 0 0 0;7 200",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, ";", "\n")+"\n"),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := charm.Open(context.Background(), filepath.Join(dir, "run.sts"), true, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, tr, diagnose.Default)
	// 100 of 200 on each. Sent at 96 of 100: at most 200 - 100 can be gained.
	if f := find(r.Findings, "R02"); f == nil || f.Severity != 96 || !strings.Contains(f.Title, "Main::Main") {
		t.Errorf("%+v; minor %+v", r.Findings, r.Minor)
	}
	if got := lost(r.Account); got != "no work during end of the run 100000, wait for Main::Main on 1.1.1 96000, "+
		"transfer in message 4000" {
		t.Errorf("lost: %s", got)
	}
}
