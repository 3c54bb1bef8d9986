package extrae

import "testing"

func TestShortName(t *testing.T) {
	for name, want := range map[string]string{
		"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int, float)": "" +
			"at::native::vectorized_elementwise_kernel",
		"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, (int)2>(float*)": "" +
			"at::native::(anonymous namespace)::CatArrayBatchedCopy",
		"volta_sgemm_128x64_nn":                               "volta_sgemm_128x64_nn",
		"Memcpy HtoD (Pinned -> Device)":                      "Memcpy HtoD",
		"(anonymous namespace)::run(float)":                   "(anonymous namespace)::run",
		"<unknown>":                                           "<unknown>",
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

// Names of functions lose what a compiler adds to them, but for the number of an outlined function.
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
