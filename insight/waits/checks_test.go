package waits_test

import (
	"testing"

	"pview/internal/acceptance"
)

// Every acceptance check of the requirements of wait states has a test.
func TestChecksAreTests(t *testing.T) {
	acceptance.Verify(t, "../..", 40, acceptance.Table{
		1: "TestLateSenderAndReceiver", 2: "TestLateSenderAndReceiver", 3: "TestLateSenderAndReceiver",
		4: "TestEagerLimit", 5: "TestWrongOrder", 6: "TestWrongOrder", 7: "TestWrongOrder",
		8: "TestCompletions", 9: "TestCompletions", 10: "TestCompletions", 11: "TestCompletions", 12: "TestCompletions",
		13: "TestCompletions",
		14: "TestImperfect", 15: "TestImperfect", 16: "TestImperfect",
		17: "TestCollectives", 18: "TestCollectives", 19: "TestCollectives", 20: "TestCollectives",
		21: "TestCollectives", 22: "TestCollectives", 23: "TestCollectives, TestEarlyWait",
		24: "TestThreads", 25: "TestThreads", 26: "TestThreads",
		27: "TestDelays", 28: "TestDelays", 29: "TestDelays, TestTimelines", 30: "TestDelays, TestTimelines",
		31: "TestDelays", 32: "TestDelays", 33: "TestDelays",
		34: "TestCriticalPath", 35: "TestPredicted", 36: "TestReference", 37: "TestRecorded, TestRecordedClocks",
		38: "TestNothing, TestCut, TestImpactOfRecorded",
		39: "TestScaled, TestRenamed", 40: "TestWorkOfIterations, TestDeepChain, TestBytesOfAWait",
	})
}
