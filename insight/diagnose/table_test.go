package diagnose

// Every acceptance check has a test, and every rule has a trace on which it finds something and one on which it must
// not.

import (
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"

	"pview/insight/report"
	"pview/internal/acceptance"
)

// The checks of the requirements, by number.
func TestChecksAreTests(t *testing.T) {
	acceptance.Verify(t, "../..", 58, acceptance.Table{
		1: "TestCheck01And02", 2: "TestCheck01And02", 3: "TestCheck03To06", 4: "TestCheck03To06", 5: "TestCheck03To06",
		6: "TestCheck03To06", 7: "TestCheck07And08", 8: "TestCheck07And08",
		9: "TestCheck09", 10: "TestCheck10", 11: "TestCheck11", 12: "TestCheck12", 13: "TestCheck13", 14: "TestCheck14",
		15: "TestCheck15And49", 16: "TestCheck16And17", 17: "TestCheck16And17",
		18: "TestSplit", 19: "TestSplit", 20: "TestSplit", 21: "TestCheck21And23", 22: "TestCheck22",
		23: "TestCheck21And23", 24: "TestCheck24", 25: "TestCheck25", 26: "TestCheck26And27",
		27: "TestCheck26And27", 28: "sim/driven TestRandomPlacement", 29: "TestCheck29", 30: "TestLateMessage",
		31: "TestLateMessage", 32: "TestLateMessage", 33: "TestBarriers", 34: "TestBarriers",
		35: "TestLossOfRecorded", 36: "TestClocks", 37: "tui TestEvidenceJump", 38: "TestBarriers", 39: "TestCheck39",
		40: "TestCheck40", 41: "TestCheck41", 42: "TestCheck42", 43: "TestCheck43",
		44: "tui TestStagesAnimation, tui/pane/findings TestArrangements", 45: "sim/driven TestQuiescence",
		46: "sim/driven TestNeverTooEarly", 47: "TestCheck15And49", 48: "insight/compare TestFactors",
		49: "TestCheck15And49", 50: "TestCheck50", 51: "TestBusy", 52: "TestCheck52", 53: "TestCheck53",
		54: "TestCheck54, TestUnitSize, TestCancel", 55: "TestCheck55", 56: "TestLateMessage",
		57: "TestCheck14, TestCheck16And17, TestBarriers", 58: "TestCheck58",
	})
}

// noted are the tests that have a trace on which a rule finds something, and one on which it does not, by rule.
var noted struct {
	sync.Mutex
	found, silent map[report.RuleID]string
}

// Noted says that a test has a trace on which a rule finds something, or must not and does not.
func Noted(t *testing.T, rule report.RuleID, found bool) {
	noted.Lock()
	defer noted.Unlock()
	if noted.found == nil {
		noted.found, noted.silent = map[report.RuleID]string{}, map[report.RuleID]string{}
	}
	if found {
		noted.found[rule] = t.Name()
	} else {
		noted.silent[rule] = t.Name()
	}
}

// TestMain looks, when all tests have passed, whether every rule has had both of its traces.
func TestMain(m *testing.M) {
	code := m.Run()
	whole := !testing.Short()
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		whole = whole && flag.Lookup(name).Value.String() == ""
	}
	for i := range Rules {
		id := Rules[i].ID
		if Rules[i].Phase == nil && Rules[i].Run == nil {
			continue // package remedy finds it, and has its traces
		}
		if whole && code == 0 && (noted.found[id] == "" || noted.silent[id] == "") {
			fmt.Printf("FAIL: rule %s: no trace on which it finds something (%q), or none on which it must not (%q)\n",
				id, noted.found[id], noted.silent[id])
			defer os.Exit(1)
		}
	}
	if code != 0 {
		os.Exit(code)
	}
}
