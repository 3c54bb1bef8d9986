package workload

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pview/insight/workload/cluster"
	"pview/prv/quantity"
)

// Field is a setting that users write as text: a line of the viewer's form, a flag of the command.
type Field struct {
	Name, Hint string
	Method     string                        // the only method with it; "": all
	Values     []string                      // to choose from; nil: any
	Text       func(s *Settings) string      // of Filled settings
	set        func(*Settings, string) error // reads a value
}

// Flag returns the name of the flag.
func (f *Field) Flag() string { return strings.ReplaceAll(f.Name, " ", "-") }

// Set takes a value. An error gives the reason, without the name.
func (f *Field) Set(s *Settings, text string) error { return f.set(s, strings.TrimSpace(text)) }

// Filled returns the settings with defaults for unset fields, except the parameters and the method.
func (s Settings) Filled() Settings {
	s.Scaling, s.Rule = cmp.Or(s.Scaling, &Scalings[0]), cmp.Or(s.Rule, &cluster.Rules[0])
	s.Eps, s.MinPoints = cmp.Or(s.Eps, DefaultEps), cmp.Or(s.MinPoints, DefaultMinPoints)
	s.MostK = cmp.Or(s.MostK, cluster.DefaultMost)
	return s
}

// Fields are the settings other than the parameters.
var Fields = []Field{
	{Name: "scaling", Hint: "of parameters: range, zscore, none",
		Values: namesOf(Scalings, func(s *Scaling) string { return s.Name }),
		Text:   func(s *Settings) string { return s.Scaling.Name },
		set: func(s *Settings, text string) error {
			scaling, err := scalingByName(text)
			if err == nil {
				s.Scaling = scaling
			}
			return err
		}},
	{Name: "least", Hint: "shortest component that counts: 50us; 0: all",
		Text: func(s *Settings) string { return quantity.Time.Format(s.Least) },
		set: func(s *Settings, text string) error {
			return amount(&s.Least, quantity.Time, text, 0, math.MaxInt64)
		}},
	{Name: "trim", Hint: "set aside components outside of these percentiles: 2,98; no: none",
		Text: func(s *Settings) string {
			if s.TrimLow == 0 && s.TrimHigh == 0 {
				return "no"
			}
			return fmt.Sprintf("%g, %g", s.TrimLow, s.TrimHigh)
		}, set: setTrim},
	{Name: "method", Hint: "dbscan or kmeans",
		Values: namesOf(Methods, func(m *struct{ Name, Doc string }) string { return m.Name }),
		Text:   func(s *Settings) string { return s.Method },
		set: func(s *Settings, text string) error {
			if methods[text] == nil {
				return fmt.Errorf("must be dbscan or kmeans, not %q", text)
			}
			s.Method = text
			return nil
		}},
	{Name: "eps", Hint: "radius of a neighbourhood, in scaled units", Method: "dbscan",
		Text: func(s *Settings) string { return fmt.Sprintf("%.4g", s.Eps) },
		set: func(s *Settings, text string) error {
			return amount(&s.Eps, quantity.Number, text, math.SmallestNonzeroFloat64, math.MaxFloat64)
		}},
	{Name: "min points", Hint: "components in the neighbourhood of a core, itself included", Method: "dbscan",
		Text: func(s *Settings) string { return strconv.Itoa(s.MinPoints) },
		set: func(s *Settings, text string) error {
			return whole(&s.MinPoints, text, "", 1, math.MaxInt32)
		}},
	{Name: "k", Hint: "number of clusters; auto: as recommended", Method: "kmeans",
		Text: func(s *Settings) string { return orWord(s.K, "auto") },
		set: func(s *Settings, text string) error {
			return whole(&s.K, text, "auto", 0, cluster.MaxK)
		}},
	{Name: "most k", Hint: "largest number of clusters that is tried", Method: "kmeans",
		Text: func(s *Settings) string { return strconv.Itoa(s.MostK) },
		set: func(s *Settings, text string) error {
			return whole(&s.MostK, text, "", 1, cluster.MaxK)
		}},
	{Name: "rule", Hint: "which k is recommended: largest, every", Method: "kmeans",
		Values: namesOf(cluster.Rules, func(r *cluster.Rule) string { return r.Name }),
		Text:   func(s *Settings) string { return s.Rule.Name },
		set: func(s *Settings, text string) error {
			for i := range cluster.Rules {
				if cluster.Rules[i].Name == text {
					s.Rule = &cluster.Rules[i]
					return nil
				}
			}
			return fmt.Errorf("unknown rule %q", text)
		}},
	{Name: "threshold", Hint: "drop clusters with less than this percentage of the time",
		Text: func(s *Settings) string { return quantity.FormatValue(s.Threshold, "%") },
		set: func(s *Settings, text string) error {
			return amount(&s.Threshold, quantity.Number, strings.TrimSuffix(text, "%"), 0, 100)
		}},
	{Name: "sample", Hint: "cluster N components, the others join the nearest; 0: all",
		Text: func(s *Settings) string { return orWord(s.Sample, "all") },
		set: func(s *Settings, text string) error {
			return whole(&s.Sample, text, "all", 0, math.MaxInt32)
		}},
}

func namesOf[T any](list []T, name func(*T) string) (out []string) {
	for i := range list {
		out = append(out, name(&list[i]))
	}
	return out
}

// orWord writes a number, and 0 as a word.
func orWord(n int, zero string) string {
	if n == 0 {
		return zero
	}
	return strconv.Itoa(n)
}

// amount reads a value within limits.
func amount(at *float64, kind *quantity.Kind, text string, low, high float64) error {
	v, err := kind.Parse(strings.TrimSpace(text), 1)
	switch {
	case err != nil:
		return err
	case v < low && low == math.SmallestNonzeroFloat64:
		return fmt.Errorf("%s: must be > 0", text)
	case !(v >= low && v <= high):
		return fmt.Errorf("%s: must be between %.3g and %.3g", text, low, high)
	}
	*at = v
	return nil
}

// whole reads a whole number within limits; zero is a word for 0.
func whole(at *int, text, zero string, low, high int) error {
	if text == zero {
		text = "0"
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return fmt.Errorf("%q: must be a whole number from %d to %d", text, low, high)
	}
	*at = n
	return nil
}

func setTrim(s *Settings, text string) error {
	if text == "no" || text == "" {
		s.TrimLow, s.TrimHigh = 0, 0
		return nil
	}
	var a, b float64
	low, high, ok := strings.Cut(text, ",")
	if err := errors.Join(amount(&a, quantity.Number, low, 0, 100), amount(&b, quantity.Number, high, 0,
		100)); !ok || err != nil || a >= b {
		return fmt.Errorf("%q: must be two percentiles, such as 2,98", text)
	}
	s.TrimLow, s.TrimHigh = a, b
	return nil
}
