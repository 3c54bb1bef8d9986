package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func about(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-3*math.Abs(b) }

// Check 13: the sum of the squared differences from 5 is 9+1+1+1+0+0+4+16 = 32, the population variance 32/8 = 4.
func TestCheck13(t *testing.T) {
	values := []float64{2, 4, 4, 4, 5, 5, 7, 9}
	s := Describe(values)
	got := []float64{s.Mean, s.Std, s.CV, s.Skewness, s.Kurtosis, s.Quartiles[0], s.Quartiles[1], s.Quartiles[2],
		s.Percentile(90)}
	if want := []float64{5, 2, 0.4, 0.65625, -0.21875, 4, 4.5, 5.5, 7.6}; !slices.EqualFunc(got, want, about) {
		t.Errorf("%v, want %v", got, want)
	}
	var scores []float64
	for _, v := range values {
		scores = append(scores, s.Score(v))
	}
	if want := []float64{-1.5, -0.5, -0.5, -0.5, 0, 0, 1, 2}; !slices.EqualFunc(scores, want, about) {
		t.Errorf("%v", scores)
	}
	if s := Describe([]float64{3, math.NaN()}); s.Std != 0 || s.Missing != 1 || s.N != 1 || s.Quartiles[2] != 3 {
		t.Errorf("%+v", s)
	}
	if s := Describe(nil); !math.IsNaN(s.Mean) {
		t.Errorf("%+v", s)
	}
}

// Check 21: curves and distributions.
func TestCheck21(t *testing.T) {
	line, err := FormByName("line").Fit([]float64{0, 1, 2, 3}, []float64{1, 3, 4, 8})
	if err != nil || !slices.EqualFunc(line.Coefficients, []float64{0.7, 2.2}, about) || !about(line.Residual, 1.8) ||
		!about(line.R2, 0.9308) {
		t.Errorf("%+v, %v", line, err)
	}
	if got := line.String(); got != "0.7 + 2.2*x" {
		t.Error(got)
	}
	p, err := FormByName("power").Fit([]float64{1, 2, 4, 8}, []float64{3, 3 / math.Sqrt2, 1.5, 3 / math.Sqrt(8)})
	if err != nil || !slices.EqualFunc(p.Coefficients, []float64{3, -0.5}, about) || !about(p.R2, 1) {
		t.Errorf("%+v, %v", p, err)
	}
	s := Describe([]float64{1, 2, 3, 4})
	var names []string
	for _, d := range Distributions(s) {
		names = append(names, fmt.Sprintf("%s D %.4f", d, d.D))
	}
	want := []string{"normal(mean 2.5, std 1.11803) D 0.1726", "erlang(k 5, rate 2) D 0.2149",
		"lognormal(mu 0.794513, sigma 0.520626) D 0.2204", "uniform(min 1, max 4) D 0.2500",
		"exponential(rate 0.4) D 0.3297"}
	names = slices.DeleteFunc(names, func(s string) bool { // families that are not MEDEA's
		return strings.HasPrefix(s, "weibull") || strings.HasPrefix(s, "gamma") || strings.HasPrefix(s, "pareto")
	})
	if !slices.Equal(names, want) {
		t.Errorf("%q\nwant %q", names, want)
	}
	logs := Distributions(Describe([]float64{1, math.E, math.Exp(2), math.Exp(3)}))
	i := slices.IndexFunc(logs, func(d *Distribution) bool { return d.Name == "lognormal" })
	if !slices.EqualFunc(logs[i].Values, []float64{1.5, 1.118}, about) {
		t.Errorf("%v", logs[i])
	}
}

// Two stages where the deviation is above the mean. 1,1,1,9: mean 3, std sqrt(12), CV^2 = 4/3; p = (1 + sqrt(1/7))/2 =
// 0.689.
func TestHyperexponential(t *testing.T) {
	got := fitted(t, "hyperexponential", 1, 1, 1, 9)
	if !slices.EqualFunc(got, []float64{0.688982, 0.459321, 0.207345}, about) {
		t.Errorf("%v", got)
	}
}

// Check 22: correlation and principal components of two columns: 1 + r and 1 - r.
func TestCheck22(t *testing.T) {
	c := Correlation([][]float64{{1, 2, 3, 4}, {2, 4, 5, 9}})
	list := Components(c)
	if !about(c.At(0, 1), 0.96476) || !about(list[0].Variance, 1.96476) || !about(list[1].Variance, 0.03524) ||
		!about(list[0].Share, 0.9824) || list[0].Loadings[0] < 0 {
		t.Errorf("%v %+v", c, list)
	}
	if c := Correlation([][]float64{{1, 1, math.NaN()}, {2, 3, 4}}); c.At(0, 1) != 0 {
		t.Errorf("a constant column: %v", c.At(0, 1))
	}
}

// All coefficients of a formula are replaced, and no letter of "ln" or "e^".
func TestFormulas(t *testing.T) {
	for form, want := range map[string]string{"line": "2 + 3*x", "quintic": "2 + 3*x + 4*x^2 + 5*x^3 + 6*x^4 + 7*x^5",
		"power": "2*x^3", "exponential": "2*e^(3*x)", "logarithmic": "2 + 3*ln(x)", "amdahl": "2 + 3/x",
		"log-overhead": "2 + 3/x + 4*log2(x)"} {
		f := FormByName(form)
		c := &Curve{Form: f, Coefficients: []float64{2, 3, 4, 5, 6, 7}[:len(f.terms)]}
		if got := c.String(); got != want {
			t.Errorf("%s: %s, want %s", form, got, want)
		}
	}
	for _, c := range []struct{ text, want string }{{"a", "7"}, {"b + a", "b + 7"}, {"a^2 + a", "a^2 + 7"},
		{"za + a", "za + 7"}, {"az + a", "az + 7"}, {"aa", "aa"}, {"9a + a", "9a + 7"}, {"a0 + a", "a0 + 7"},
		{"b", "b"}, {"", ""}} {
		if got := replaceLetter(c.text, 'a', "7"); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Each form by hand, at x = 4: 2 + 3 ln 4, 2 + 3/4, 2 + 3/4 + 5*4, 2 + 3/4 + 5*2, 2 * 4^3, 2 e^12.
func TestAt(t *testing.T) {
	for form, want := range map[string]float64{"line": 14, "square": 94, "power": 128, "exponential": 2 * math.Exp(12),
		"logarithmic": 2 + 3*math.Log(4), "amdahl": 2.75, "overhead": 22.75, "log-overhead": 12.75} {
		f := FormByName(form)
		c := &Curve{Form: f, Coefficients: []float64{2, 3, 5}[:len(f.terms)]}
		if got := c.At(4); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %g, want %g", form, got, want)
		}
	}
	// Equal numbers have no deviation to explain, and small ones have.
	flat, err := FormByName("line").Fit([]float64{0, 1, 2}, []float64{3, 3, 3})
	if err != nil || flat.R2 != 1 {
		t.Errorf("%+v, %v", flat, err)
	}
	// 0, 0.1, 0: the line is flat at 0.1/3, and explains nothing.
	if small, err := FormByName("line").Fit([]float64{0, 1, 2}, []float64{0, 0.1, 0}); err != nil ||
		math.Abs(small.R2) > 1e-9 {
		t.Errorf("%+v, %v", small, err)
	}
}

// Which samples rule out a family: negative numbers, 0, equal ones, or a deviation too large or too small.
func TestFamiliesOf(t *testing.T) {
	const all = "uniform exponential normal lognormal erlang weibull gamma pareto"
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{1, 2, 3}, all},
		{[]float64{0.1, 0.2, 0.3}, all},
		{[]float64{0, 1, 2}, "uniform exponential normal erlang"},
		{[]float64{-1, 1, 3}, "uniform normal"},
		{[]float64{0, 0}, ""},
		{[]float64{3, 3}, "exponential"},
		{[]float64{-3, -3}, ""},
		// Mean 3, deviation sqrt(12): 3^2/12 = 0.75 is rounded to k = 1, and the CV is above 1.
		{[]float64{1, 1, 1, 9}, "uniform exponential normal lognormal erlang hyperexponential weibull gamma pareto"},
		// Mean 10, deviation 30: k = 1/9 is rounded to 0. A negative number leaves no mixture.
		{[]float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 100}, "uniform exponential normal hyperexponential"},
		{[]float64{-1, 0, 0, 0, 0, 0, 0, 0, 0, 100}, "uniform normal"},
	} {
		var names []string
		for _, f := range Families {
			if f.fit(Describe(c.values)) != nil {
				names = append(names, f.Name)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%v: %q, want %q", c.values, got, c.want)
		}
	}
	if list := Distributions(Describe([]float64{3})); len(list) != 1 || list[0].Name != "exponential" {
		t.Errorf("of one number: %v", list)
	}
	if list := Distributions(Describe(nil)); list != nil {
		t.Errorf("of none: %v", list)
	}
}

// The mixture of 1, 1, 1, 9 has p = (1 + sqrt(1/7))/2, and rates 2p/3 and 2(1 - p)/3: its distribution function at 3 is
// 1 - p e^(-2p) - (1 - p) e^(-2(1 - p)), and its density is the derivative.
func TestMixture(t *testing.T) {
	i := slices.IndexFunc(Families, func(f Family) bool { return f.Name == "hyperexponential" })
	d := Families[i].fit(Describe([]float64{1, 1, 1, 9}))
	p := (1 + math.Sqrt(1.0/7)) / 2
	q := 1 - p
	if got, want := d.cdf(3), 1-p*math.Exp(-2*p)-q*math.Exp(-2*q); math.Abs(got-want) > 1e-12 {
		t.Errorf("%g, want %g", got, want)
	}
	if got, want := math.Exp(d.log(3)), 2*p*p/3*math.Exp(-2*p)+2*q*q/3*math.Exp(-2*q); math.Abs(got-want) > 1e-12 {
		t.Errorf("density %g, want %g", got, want)
	}
	if d.cdf(0) != 0 || d.cdf(-1) != 0 || d.cdf(0.5) <= 0 {
		t.Errorf("%g at 0, %g at -1, %g at 0.5", d.cdf(0), d.cdf(-1), d.cdf(0.5))
	}
}

// Rows count if no column misses them; two are the fewest. A component's largest loading is positive.
func TestFewRows(t *testing.T) {
	nan := math.NaN()
	if Correlation(nil) != nil || Correlation([][]float64{{1, nan, 3}, {2, 3, nan}}) != nil {
		t.Error("a correlation of less than two rows")
	}
	if c := Correlation([][]float64{{1, nan, 3}, {5, 0, 4}}); c.At(0, 1) != -1 {
		t.Errorf("%g, want -1", c.At(0, 1))
	}
	if c := Correlation([][]float64{{1, 2}}); c.At(0, 0) != 1 || c.SymmetricDim() != 1 {
		t.Errorf("of one column: %v", c)
	}
	if Components(nil) != nil {
		t.Error("components of nothing")
	}
	// With r = -1 the first component has loadings of both signs, equally large.
	for _, c := range Components(Correlation([][]float64{{1, 2, 3, 4}, {4, 3, 1, 2}, {2, 1, 4, 9}})) {
		if low, high := slices.Min(c.Loadings), slices.Max(c.Loadings); -low > high*(1+1e-6) {
			t.Errorf("loadings %v", c.Loadings)
		}
	}
}

func TestForms(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	for i := range forms {
		f := &forms[i]
		want := &Curve{Form: f, Coefficients: []float64{2, 0.5, 0.25, 0.125, 0.0625, 0.03125}[:len(f.terms)]}
		var y []float64
		for _, v := range x {
			y = append(y, want.At(v))
		}
		got, err := f.Fit(x, y)
		if err != nil || !about(got.R2, 1) || !slices.EqualFunc(got.Coefficients, want.Coefficients, about) {
			t.Errorf("%s: %+v, %v", f.Name, got, err)
		}
	}
	for i, name := range []string{"line", "square", "cubic", "quartic", "quintic"} {
		if n := len(FormByName(name).terms); n != i+2 {
			t.Errorf("%s has %d coefficients", name, n)
		}
	}
	for _, c := range []struct {
		form string
		x, y []float64
	}{{"line", []float64{1}, []float64{1}}, {"power", []float64{0, 1}, []float64{1, 1}},
		{"exponential", []float64{1, 2}, []float64{-1, 1}}, {"line", []float64{1, 1}, []float64{1, 2}}} {
		if got, err := FormByName(c.form).Fit(c.x, c.y); err == nil {
			t.Errorf("%s of %v: %v", c.form, c.x, got)
		}
	}
}

// The distance from the uniform distribution on [0, 1]: at a step it counts on both sides, and equal values are one
// step.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{0.1, 0.2, 0.3, 0.4}, 0.6},  // 1 - 0.4, behind the last step
		{[]float64{0.6, 0.7, 0.8, 0.9}, 0.6},  // 0.6 - 0, before the first
		{[]float64{0.25, 0.25, 0.25, 1}, 0.5}, // 3/4 - 0.25
		{[]float64{0.25, 0.5, 0.75, 1}, 0.25}, // each value is 1/4 from the step before
	} {
		if got := Describe(c.values).distance(func(x float64) float64 { return x }); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %g, want %g", c.values, got, c.want)
		}
	}
}

// fitted returns the parameters that a family has for a sample.
func fitted(t *testing.T, family string, values ...float64) []float64 {
	t.Helper()
	i := slices.IndexFunc(Families, func(f Family) bool { return f.Name == family })
	d := Families[i].fit(Describe(values))
	if d == nil {
		t.Fatalf("no %s", family)
	}
	return d.Values
}

// Maximum likelihood by hand. Pareto of 1, e, e^2: from 1, 1/mean(0, 1, 2). Weibull of 1, e: e^k/(1 + e^k) - 1/k - 1/2
// = 0, so tanh(k/2) = 2/k, k = 2*1.199679; the scale is ((1 + e^k)/2)^(1/k). Gamma of 1 +- sqrt(1 - e^(-2g)), g =
// 0.5772157: mean 1, mean logarithm -g, and log 1 - digamma(1) = g, so the shape is 1; of mean 1 and mean logarithm
// log 2 + g - 1 with negative sign, since digamma(2) = 1 - g, it is 2.
func TestLikelihood(t *testing.T) {
	g := 0.5772156649
	pair := func(logs float64) []float64 {
		r := math.Sqrt(1 - math.Exp(2*logs))
		return []float64{1 - r, 1 + r}
	}
	for _, c := range []struct {
		family       string
		values, want []float64
	}{
		{"pareto", []float64{1, math.E, math.E * math.E}, []float64{1, 1}},
		{"weibull", []float64{1, math.E}, []float64{2.399357, 2.111397}},
		{"gamma", pair(-g), []float64{1, 1}},
		{"gamma", pair(-(math.Ln2 + g - 1)), []float64{2, 2}},
	} {
		got := fitted(t, c.family, c.values...)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-4 }) {
			t.Errorf("%s of %v: %v, want %v", c.family, c.values, got, c.want)
		}
	}
}

// Samples of known distributions: the parameters come back within 3 % (20,000 numbers; the standard error is 1 % and
// less), the family is the nearest, and it is not rejected.
func TestGenerated(t *testing.T) {
	src := rand.NewPCG(5, 6)
	for _, c := range []struct {
		family string
		of     interface{ Rand() float64 }
		want   []float64
	}{
		{"weibull", distuv.Weibull{K: 0.7, Lambda: 3, Src: src}, []float64{0.7, 3}},
		{"weibull", distuv.Weibull{K: 2.5, Lambda: 1e6, Src: src}, []float64{2.5, 1e6}},
		{"gamma", distuv.Gamma{Alpha: 0.5, Beta: 2, Src: src}, []float64{0.5, 2}},
		{"gamma", distuv.Gamma{Alpha: 4.5, Beta: 0.001, Src: src}, []float64{4.5, 0.001}},
		{"pareto", distuv.Pareto{Xm: 50, Alpha: 1.8, Src: src}, []float64{50, 1.8}},
		{"exponential", distuv.Exponential{Rate: 0.25, Src: src}, []float64{0.25}},
		{"lognormal", distuv.LogNormal{Mu: 3, Sigma: 0.6, Src: src}, []float64{3, 0.6}},
	} {
		values := make([]float64, 20_000)
		for i := range values {
			values[i] = c.of.Rand()
		}
		s := Describe(values)
		d := Distributions(s)[0]
		if d.Name != c.family || s.Rejected(d) ||
			!slices.EqualFunc(d.Values, c.want, func(a, b float64) bool { return math.Abs(a-b) < 0.03*b }) {
			t.Errorf("%s %v: %v, D %.4f", c.family, c.want, d, d.D)
		}
	}
}

// One exponential population is no mixture of two, also where chance gives it a deviation above the mean, and two are.
func TestOneStage(t *testing.T) {
	src := rand.NewPCG(7, 8)
	one, fast, slow := distuv.Exponential{Rate: 1, Src: src}, distuv.Exponential{Rate: 10, Src: src},
		distuv.Exponential{Rate: 0.5, Src: src}
	above := 0
	for range 20 {
		values, mixed := make([]float64, 500), make([]float64, 500)
		for i := range values {
			if values[i], mixed[i] = one.Rand(), fast.Rand(); i%4 == 0 {
				mixed[i] = slow.Rand()
			}
		}
		s := Describe(values)
		if s.CV > 1 {
			above++
		}
		for _, d := range Distributions(s) {
			if d.Name == "hyperexponential" {
				t.Errorf("CV %.3f: %v", s.CV, d)
			}
		}
		two := func(d *Distribution) bool { return d.Name == "hyperexponential" }
		if list := Distributions(Describe(mixed)); !slices.ContainsFunc(list, two) {
			t.Errorf("a mixture: %v", list)
		}
	}
	if above == 0 {
		t.Error("no sample with a CV above 1: nothing was tested")
	}
}
