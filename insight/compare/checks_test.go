package compare_test

import (
	"testing"

	"pview/internal/acceptance"
)

// Every acceptance check of the requirements of compared runs has a test.
func TestChecksAreTests(t *testing.T) {
	acceptance.Verify(t, "../..", 10, acceptance.Table{
		1: "TestOneThread", 2: "TestComputingSplit", 3: "TestTwoThreads, TestRootCause", 4: "TestAnIterationMore",
		5: "TestScaling", 6: "TestSame", 7: "TestPrediction", 8: "TestAbsent",
		9: "TestThousandIterations", 10: "TestDifferentPrograms",
	})
}
