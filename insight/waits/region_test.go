package waits

import "testing"

// Call sites are a file and a line in every tracer's spelling; those that the tracer did not find have no name of their
// own.
func TestCallSite(t *testing.T) {
	for label, want := range map[string]string{
		"150 (balance.F90, epoch2d)":     "balance.F90:150",
		"imbal.c:12 [imbal.c:12, imbal]": "imbal.c:12",
		"??:0 [??:0, tea_leaf]":          "",
		"0 (Unresolved)":                 "",
		"0 (_NOT_Found)":                 "",
		"829":                            "829",
	} {
		if got := callSite(label); got != want {
			t.Errorf("%q is %q, want %q", label, got, want)
		}
	}
}

// Names of functions lose what a compiler adds to them, but for the number of an outlined function.
func TestFunctionName(t *testing.T) {
	for label, want := range map[string]string{
		"stencil_sweep":                          "stencil_sweep",
		"f [f(double*, int) [clone ._omp_fn.1]]": "f._omp_fn.1",
		"f [f(double*, int)]":                    "f",
	} {
		if got := functionName(label); got != want {
			t.Errorf("%q is %q, want %q", label, got, want)
		}
	}
}
