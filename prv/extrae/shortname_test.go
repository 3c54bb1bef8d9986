package extrae

import (
	"pview/prv"
	"strings"
	"testing"
)

func TestShortName(t *testing.T) {
	for name, want := range map[string]string{
		"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int, float)": "" +
			"at::native::vectorized_elementwise_kernel",
		"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, (int)2>(float*)": "" +
			"at::native::(anonymous namespace)::CatArrayBatchedCopy",
		"volta_sgemm_128x64_nn":             "volta_sgemm_128x64_nn",
		"Memcpy HtoD (Pinned -> Device)":    "Memcpy HtoD",
		"(anonymous namespace)::run(float)": "(anonymous namespace)::run",
		"<unknown>":                         "<unknown>",
		"void at::native::<unnamed>::vectorized_layer_norm_kernel<float, (bool)0>(int, T2)": "" +
			"at::native::<unnamed>::vectorized_layer_norm_kernel",
		"<unnamed>::run(float)": "<unnamed>::run",
		"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, float>(Params)": "internal::gemvx::kernel",
		"Vector<int, (bool)0>::sort<Less<int>>(int)":                                       "Vector::sort",
		"broken<int::f": "broken",
		"Sum [Sum(Domain&, double*, int) [clone ._omp_fn.1]]": "Sum._omp_fn.1",
		"lulesh::Sum<double>(double*) [lulesh.cc]":            "lulesh::Sum",
		"Vector::operator<<(std::ostream&)":                   "Vector::operator<<",
		"Vector::operator()(int)":                             "Vector::operator()",
		"Vector::operator<(Vector const&)":                    "Vector::operator<",
		"operator<":                                           "operator<",
		"":                                                    "",
	} {
		if got := ShortName(name); got != want {
			t.Errorf("%q is %q, not %q", name, got, want)
		}
	}
}

// Function names lose a compiler's additions, except the number of an outlined function.
func TestFunctionName(t *testing.T) {
	for label, want := range map[string]string{
		"stencil_sweep":                          "stencil_sweep",
		"f [f(double*, int) [clone ._omp_fn.1]]": "f._omp_fn.1",
		"f [f(double*, int)]":                    "f",
	} {
		if got := FunctionName(label); got != want {
			t.Errorf("%q is %q, want %q", label, got, want)
		}
	}
}

// Code without a label has a name, too: from the kind of the event, which its type's number or label tells.
func TestRegionName(t *testing.T) {
	l, _, err := prv.ParseLabels("a.pcf", strings.NewReader("EVENT_TYPE\n0 60000019 User function\n"+
		"VALUES\n4 f [f(int) [clone ._omp_fn.0]]\n\n"+
		"EVENT_TYPE\n0 700 Executed OpenMP parallel function\n\nEVENT_TYPE\n0 60000018 Temperature\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		typ   uint32
		value int64
		want  string
	}{
		{60000019, 4, "f._omp_fn.0"},
		{60000019, 5, "function 5"},
		{700, 5, "function 5"},
		{60000018, 5, "value 5"}, // the type has another meaning
		{60000023, 5, "function 5"},
		{90000001, 3, "cluster 3"},
		{1000, 7, "value 7"},
	} {
		if got := RegionName(l, c.typ, c.value); got != c.want {
			t.Errorf("%d of type %d: %q, want %q", c.value, c.typ, got, c.want)
		}
	}
}
