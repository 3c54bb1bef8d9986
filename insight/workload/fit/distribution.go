package fit

// Distributions that describe a sample, by maximum likelihood or by moments, and how far they are from it: the
// Kolmogorov-Smirnov distance D, the greatest difference of the distribution functions.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Distribution is a distribution with its parameters.
type Distribution struct {
	Name string
	// Parameters by name, in order.
	Names  []string
	Values []float64
	D      float64 // Kolmogorov-Smirnov distance
	cdf    func(x float64) float64
}

// String writes the distribution for people and simulators: "lognormal(mu 1.5, sigma 1.118)".
func (d *Distribution) String() string {
	var list []string
	for i, n := range d.Names {
		list = append(list, fmt.Sprintf("%s %.6g", n, d.Values[i]))
	}
	return d.Name + "(" + strings.Join(list, ", ") + ")"
}

// Family is a family of distributions.
type Family struct {
	Name, Doc string
	// fit returns nil where the sample rules the family out.
	fit func(s *Sample) *Distribution
}

// most is the greatest shape of an Erlang distribution that is tried: above it, it is a normal one.
const most = 100_000

// Families are the families, in the order of their names for equal distances.
var Families = []Family{
	{"uniform", "between minimum and maximum", func(s *Sample) *Distribution {
		if s.Min == s.Max {
			return nil
		}
		return &Distribution{Names: []string{"min", "max"}, Values: []float64{s.Min, s.Max},
			cdf: distuv.Uniform{Min: s.Min, Max: s.Max}.CDF}
	}},
	{"exponential", "rate 1/mean", func(s *Sample) *Distribution {
		if s.Min < 0 || s.Mean <= 0 {
			return nil
		}
		return &Distribution{Names: []string{"rate"}, Values: []float64{1 / s.Mean},
			cdf: distuv.Exponential{Rate: 1 / s.Mean}.CDF}
	}},
	{"normal", "mean and population deviation", func(s *Sample) *Distribution {
		if s.Std == 0 {
			return nil
		}
		return &Distribution{Names: []string{"mean", "std"}, Values: []float64{s.Mean, s.Std},
			cdf: distuv.Normal{Mu: s.Mean, Sigma: s.Std}.CDF}
	}},
	{"lognormal", "mean and population deviation of the logarithms", func(s *Sample) *Distribution {
		if s.Min <= 0 {
			return nil
		}
		logs := make([]float64, len(s.sorted))
		for i, v := range s.sorted {
			logs[i] = math.Log(v)
		}
		l := Describe(logs)
		if l.Std == 0 {
			return nil
		}
		return &Distribution{Names: []string{"mu", "sigma"}, Values: []float64{l.Mean, l.Std},
			cdf: distuv.LogNormal{Mu: l.Mean, Sigma: l.Std}.CDF}
	}},
	{"erlang", "k = (mean/std)^2 rounded, rate k/mean", func(s *Sample) *Distribution {
		k := math.Round(math.Pow(s.Mean/s.Std, 2))
		if s.Min < 0 || s.Mean <= 0 || !(k >= 1 && k <= most) {
			return nil
		}
		return &Distribution{Names: []string{"k", "rate"}, Values: []float64{k, k / s.Mean},
			cdf: distuv.Gamma{Alpha: k, Beta: k / s.Mean}.CDF}
	}},
	{"hyperexponential", "two stages with balanced means, by mean and CV, where CV > 1", func(s *Sample) *Distribution {
		if s.Min < 0 || s.Mean <= 0 || s.CV <= 1 {
			return nil
		}
		c2 := s.CV * s.CV
		p := (1 + math.Sqrt((c2-1)/(c2+1))) / 2
		a, b := 2*p/s.Mean, 2*(1-p)/s.Mean
		return &Distribution{Names: []string{"p", "rate1", "rate2"}, Values: []float64{p, a, b},
			cdf: func(x float64) float64 {
				if x <= 0 {
					return 0
				}
				return 1 - p*math.Exp(-a*x) - (1-p)*math.Exp(-b*x)
			}}
	}},
}

// Distributions fits all families to a sample, the nearest first.
func Distributions(s *Sample) (list []*Distribution) {
	if s.N == 0 {
		return nil
	}
	for i := range Families {
		if d := Families[i].fit(s); d != nil {
			d.Name, d.D = Families[i].Name, s.distance(d.cdf)
			if !math.IsNaN(d.D) {
				list = append(list, d)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *Distribution) int {
		switch {
		case a.D < b.D:
			return -1
		case a.D > b.D:
			return 1
		}
		return 0
	})
	return list
}

// distance is the Kolmogorov-Smirnov distance of the sample from a distribution.
func (s *Sample) distance(cdf func(float64) float64) (d float64) {
	n := float64(s.N)
	for i := 0; i < s.N; {
		k := i + 1
		for k < s.N && s.sorted[k] == s.sorted[i] {
			k++
		}
		f := cdf(s.sorted[i])
		d = max(d, f-float64(i)/n, float64(k)/n-f)
		i = k
	}
	return d
}

// Rejected reports whether the sample is not of the distribution, at the 5% level of Kolmogorov's test for large
// samples: D > 1.36/sqrt(n). Parameters come from the sample, so that a distribution that is rejected is one by any
// test.
func (s *Sample) Rejected(d *Distribution) bool { return d.D > 1.36/math.Sqrt(float64(s.N)) }
