package fit

// Distributions that describe a sample, by maximum likelihood or by moments, and their Kolmogorov-Smirnov distance D
// from it, the largest difference of the distribution functions.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mathext"
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
	log    func(x float64) float64 // of the density, for families compared by it
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
	// fit returns nil if the sample rules out the family.
	fit func(s *Sample) *Distribution
	// contains is a family with fewer parameters that is a special case of this one.
	contains string
}

// most is the largest shape tried for an Erlang distribution: above it, the distribution is normal.
const most = 100_000

// Families are all families, sorted by name, which decides between equal distances.
var Families = []Family{
	{"uniform", "between minimum and maximum", func(s *Sample) *Distribution {
		if s.Min == s.Max {
			return nil
		}
		return &Distribution{Names: []string{"min", "max"}, Values: []float64{s.Min, s.Max},
			cdf: distuv.Uniform{Min: s.Min, Max: s.Max}.CDF}
	}, ""},
	{"exponential", "rate 1/mean", func(s *Sample) *Distribution {
		if s.Min < 0 || s.Mean <= 0 {
			return nil
		}
		d := distuv.Exponential{Rate: 1 / s.Mean}
		return &Distribution{Names: []string{"rate"}, Values: []float64{d.Rate}, cdf: d.CDF, log: d.LogProb}
	}, ""},
	{"normal", "mean and population deviation", func(s *Sample) *Distribution {
		if s.Std == 0 {
			return nil
		}
		return &Distribution{Names: []string{"mean", "std"}, Values: []float64{s.Mean, s.Std},
			cdf: distuv.Normal{Mu: s.Mean, Sigma: s.Std}.CDF}
	}, ""},
	{"lognormal", "mean and population deviation of the logarithms", func(s *Sample) *Distribution {
		l := s.logs()
		if l == nil {
			return nil
		}
		return &Distribution{Names: []string{"mu", "sigma"}, Values: []float64{l.Mean, l.Std},
			cdf: distuv.LogNormal{Mu: l.Mean, Sigma: l.Std}.CDF}
	}, ""},
	{"erlang", "k = (mean/std)^2 rounded, rate k/mean", func(s *Sample) *Distribution {
		k := math.Round(math.Pow(s.Mean/s.Std, 2))
		if s.Min < 0 || s.Mean <= 0 || !(k >= 1 && k <= most) {
			return nil
		}
		return &Distribution{Names: []string{"k", "rate"}, Values: []float64{k, k / s.Mean},
			cdf: distuv.Gamma{Alpha: k, Beta: k / s.Mean}.CDF}
	}, ""},
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
			},
			log: func(x float64) float64 { return math.Log(p*a*math.Exp(-a*x) + (1-p)*b*math.Exp(-b*x)) }}
	}, "exponential"},
	{"weibull", "shape and scale of maximum likelihood", func(s *Sample) *Distribution {
		l := s.logs()
		if l == nil {
			return nil
		}
		k, scale := weibull(l)
		d := distuv.Weibull{K: k, Lambda: scale}
		return &Distribution{Names: []string{"shape", "scale"}, Values: []float64{k, scale}, cdf: d.CDF, log: d.LogProb}
	}, "exponential"},
	{"gamma", "shape of maximum likelihood, rate shape/mean", func(s *Sample) *Distribution {
		l := s.logs()
		if l == nil {
			return nil
		}
		k := gamma(math.Log(s.Mean) - l.Mean)
		if !(k > 0 && k <= most) {
			return nil
		}
		d := distuv.Gamma{Alpha: k, Beta: k / s.Mean}
		return &Distribution{Names: []string{"shape", "rate"}, Values: []float64{k, d.Beta}, cdf: d.CDF, log: d.LogProb}
	}, "exponential"},
	{"pareto", "from the minimum, shape 1/mean of log(x/minimum)", func(s *Sample) *Distribution {
		l := s.logs()
		if l == nil {
			return nil
		}
		d := distuv.Pareto{Xm: s.Min, Alpha: 1 / (l.Mean - l.Min)}
		return &Distribution{Names: []string{"min", "shape"}, Values: []float64{d.Xm, d.Alpha}, cdf: d.CDF}
	}, ""},
}

// logs describes the logarithms of a sample; nil if it has numbers <= 0, or only one.
func (s *Sample) logs() *Sample {
	if s.Min <= 0 {
		return nil
	}
	if s.logged == nil {
		list := make([]float64, len(s.sorted))
		for i, v := range s.sorted {
			list[i] = math.Log(v)
		}
		s.logged = Describe(list)
	}
	if s.logged.Std == 0 {
		return nil
	}
	return s.logged
}

// weibull returns the shape k and the scale of maximum likelihood for logarithms y: the root of
// sum(y e^ky)/sum(e^ky) - 1/k - mean(y), which grows with k, by Newton's method within bounds; the scale is
// mean(e^ky)^(1/k). (Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions 1, 1994, chapter 21.)
func weibull(y *Sample) (k, scale float64) {
	n := float64(y.N)
	sums := func(k float64) (s0, s1, s2 float64) { // of z^i e^kz, z = y - max
		for _, v := range y.sorted {
			z := v - y.Max
			e := math.Exp(k * z)
			s0, s1, s2 = s0+e, s1+z*e, s2+z*z*e
		}
		return s0, s1, s2
	}
	low, high := 0.0, math.Inf(1)
	k = math.Pi / (math.Sqrt(6) * y.Std) // by moments: the logarithms have a Gumbel distribution
	for range 100 {
		s0, s1, s2 := sums(k)
		at := s1/s0 - 1/k - (y.Mean - y.Max)
		if at > 0 {
			high = k
		} else {
			low = k
		}
		next := k - at/(s2/s0-(s1/s0)*(s1/s0)+1/(k*k))
		if !(next > low && next < high) {
			next = (low + min(high, 3*k)) / 2
		}
		if math.Abs(next-k) <= 1e-12*k {
			break
		}
		k = next
	}
	s0, _, _ := sums(k)
	return k, math.Exp(y.Max + math.Log(s0/n)/k)
}

// gamma returns the shape k of maximum likelihood: log k - digamma(k) = d, the logarithm of the mean minus the mean of
// the logarithms. The left side decreases in k, and is between 1/(2k) and 1/k.
func gamma(d float64) float64 {
	if !(d > 0) {
		return math.NaN()
	}
	low, high := 0.5/d, 1/d
	for range 200 {
		k := (low + high) / 2
		if k == low || k == high {
			break
		}
		if math.Log(k)-mathext.Digamma(k) > d {
			low = k
		} else {
			high = k
		}
	}
	return (low + high) / 2
}

// criterion is Schwarz's (BIC) of a sample with a distribution: parameters x log n - 2 log likelihood; lower is better.
func (s *Sample) criterion(d *Distribution) float64 {
	sum := 0.0
	for _, v := range s.sorted {
		sum += d.log(v)
	}
	return float64(len(d.Values))*math.Log(float64(s.N)) - 2*sum
}

// Distributions fits all families to a sample, the nearest first. A family that contains a simpler one, as a mixture of
// two exponentials contains a single one, is dropped unless it has the lower BIC: its distance is never larger.
func Distributions(s *Sample) (list []*Distribution) {
	if s.N == 0 {
		return nil
	}
	for i := range Families {
		if d := Families[i].fit(s); d != nil && !s.simpler(d, Families[i].contains, list) {
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

// simpler reports whether a fitted family contained in d's family describes the sample as well.
func (s *Sample) simpler(d *Distribution, contains string, fitted []*Distribution) bool {
	for _, other := range fitted {
		if other.Name == contains {
			return s.criterion(other) <= s.criterion(d)
		}
	}
	return false
}

// distance returns the Kolmogorov-Smirnov distance of the sample from a distribution.
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

// Rejected reports whether the sample does not fit the distribution, at the 5% level of Kolmogorov's test for large
// samples: D > 1.36/sqrt(n). Parameters come from the sample, so the test is conservative: any rejected distribution is
// indeed wrong.
func (s *Sample) Rejected(d *Distribution) bool { return d.D > 1.36/math.Sqrt(float64(s.N)) }
