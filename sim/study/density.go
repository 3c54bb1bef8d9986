package study

// Random variables: a quantity with a density. A value is drawn once per run, unlike the distributions of a machine's
// parameters, which are drawn at each use within a run (sim.Distributions).
//
// Every density is drawn by the inverse of its distribution function, from one number in (0, 1). So random, Latin
// hypercube, Sobol and correlated samples differ only in these numbers.

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"pview/prv/quantity"
)

// Density is a row of Densities and its arguments, in the unit of the quantity.
type Density struct {
	Kind string
	Args []float64
	// Weights are the weights of a discrete density's values, in the order of Args; they sum to 1.
	Weights []float64

	inverse func(u float64) float64
}

// DensityKind is an entry of Densities.
type DensityKind struct {
	Name, Doc string
	// Params names the arguments; those from Least are optional.
	Params []string
	Least  int
	// check reports impossible arguments; inverse makes the inverse of the distribution function.
	check   func(a []float64) error
	inverse func(a []float64) func(u float64) float64
}

// Densities are the densities of random variables, except constant and discrete, which list their values.
var Densities = []DensityKind{
	{"uniform", "any value between two, equally likely", []string{"least", "most"}, 2, ascending,
		func(a []float64) func(float64) float64 { return distuv.Uniform{Min: a[0], Max: a[1]}.Quantile }},
	{"normal", "the bell curve; with least and most, only values between them",
		[]string{"mean", "deviation", "least", "most"}, 2, checkNormal, normalInverse},
	{"triangular", "between two values, most often near a third", []string{"least", "mode", "most"}, 3, checkTriangle,
		func(a []float64) func(float64) float64 { return distuv.NewTriangle(a[0], a[2], a[1], nil).Quantile }},
	{"lognormal", "most values below the mean, few far above it; the logarithm is normal",
		[]string{"mean", "deviation"}, 2, positive, logNormalInverse},
	{"loguniform", "between two values, every power of ten equally likely", []string{"least", "most"}, 2,
		func(a []float64) error { return errors.Join(positive(a), ascending(a)) },
		func(a []float64) func(float64) float64 {
			low, high := math.Log(a[0]), math.Log(a[1])
			return func(u float64) float64 { return math.Exp(low + u*(high-low)) }
		}},
}

// The densities of listed values: discrete(1, 8*3, 16) draws 8 three times as often.
const (
	constant = "constant"
	discrete = "discrete"
)

// errNoWidth reports a density that has only one value.
var errNoWidth = errors.New("has no width; a value that does not vary is constant(value)")

func ascending(a []float64) error {
	switch {
	case a[0] < a[1]:
		return nil
	case a[0] == a[1]:
		return errNoWidth
	}
	return errors.New("must have least < most")
}

func positive(a []float64) error {
	for _, v := range a {
		if v == 0 {
			return fmt.Errorf("must have values > 0; %w", errNoWidth)
		}
		if !(v > 0) {
			return errors.New("must have values > 0")
		}
	}
	return nil
}

func checkTriangle(a []float64) error {
	switch {
	case a[0] == a[2]:
		return errNoWidth
	case !(a[0] <= a[1] && a[1] <= a[2]):
		return errors.New("must have least <= mode <= most")
	}
	return nil
}

func checkNormal(a []float64) error {
	switch {
	case a[1] == 0:
		return errNoWidth
	case a[1] < 0:
		return errors.New("must have a deviation > 0")
	case len(a) == 3:
		return errors.New("takes least and most together")
	case len(a) == 4:
		if err := ascending(a[2:]); err != nil {
			return err
		}
		if d := (distuv.Normal{Mu: a[0], Sigma: a[1]}); d.CDF(a[3])-d.CDF(a[2]) < 1e-12 {
			return errors.New("has hardly any value between least and most")
		}
	}
	return nil
}

// normalInverse draws from the part of the curve between the limits, if there are any.
func normalInverse(a []float64) func(float64) float64 {
	d := distuv.Normal{Mu: a[0], Sigma: a[1]}
	if len(a) < 4 {
		return d.Quantile
	}
	low, high := d.CDF(a[2]), d.CDF(a[3])
	return func(u float64) float64 { return min(max(d.Quantile(low+u*(high-low)), a[2]), a[3]) }
}

// logNormalInverse takes mean and deviation of the values, not of their logarithms.
func logNormalInverse(a []float64) func(float64) float64 {
	variance := math.Log1p(a[1] * a[1] / (a[0] * a[0]))
	return distuv.LogNormal{Mu: math.Log(a[0]) - variance/2, Sigma: math.Sqrt(variance)}.Quantile
}

// usage returns the syntax of a density: "normal(mean, deviation[, least, most])".
func (k *DensityKind) usage() string {
	text := k.Name + "(" + strings.Join(k.Params[:k.Least], ", ")
	if k.Least < len(k.Params) {
		text += "[, " + strings.Join(k.Params[k.Least:], ", ") + "]"
	}
	return text + ")"
}

// DensityUsages lists the syntax and meaning of all densities.
func DensityUsages() (rows [][2]string) {
	rows = [][2]string{{constant + "(value)", "always the same; also without constant(...)"}}
	for i := range Densities {
		rows = append(rows, [2]string{Densities[i].usage(), Densities[i].Doc})
	}
	return append(rows, [2]string{discrete + "(value[*weight], ...)",
		"one of the values, each as often as its weight says; also without discrete(...)"},
		[2]string{"[value]+-PERCENT%",
			"uniform, by so much below and above a value; without one it is that of the machine"})
}

// Variable is a quantity drawn for each run of a study.
type Variable struct {
	Column
	Quantity *Quantity
	Density
	set []func(*Case) // by level; nil: numbers
}

// ParseVariable reads NAME=DENSITY, such as latency=uniform(1us,30us); base is the case whose values +-10% refers to.
func ParseVariable(text string, base *Case) (v Variable, err error) {
	return parseVariable(text, base, quantityByName)
}

// ParseFreeVariable reads NAME=DENSITY of any name: the input of an external solver. Names of known quantities have
// their units.
func ParseFreeVariable(text string) (Variable, error) {
	return parseVariable(text, nil, func(name string) (*Quantity, error) {
		if q, err := quantityByName(name); err == nil {
			return q, nil
		}
		plain := func(text string) (float64, error) {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return 0, fmt.Errorf("%q is not a number", text)
			}
			return v, nil
		}
		q := &Quantity{Name: strings.TrimSpace(name), Above: -math.MaxFloat64, Most: math.MaxFloat64, Closed: true,
			Parse: plain, amount: plain,
			Show: func(v float64) string { return fmt.Sprintf("%g", v) }, Set: func(*Case, float64) {}}
		q.Setter = func(text string) (func(*Case), error) {
			_, err := plain(text)
			return func(*Case) {}, err
		}
		return q, nil
	})
}

func parseVariable(text string, base *Case, find func(name string) (*Quantity, error)) (v Variable, err error) {
	name, density, ok := strings.Cut(text, "=")
	if !ok || strings.TrimSpace(density) == "" {
		return v, fmt.Errorf("%q is not NAME=DENSITY, such as latency=uniform(1us,30us)", text)
	}
	q, err := find(name)
	if err != nil {
		return v, err
	}
	v.Quantity, v.Column = q, Column{Name: q.Name, Unit: q.Unit}
	if q.Check != nil && base != nil {
		if err := q.Check(base); err != nil {
			return v, fmt.Errorf("%s: %w", q.Name, err)
		}
	}
	if err := v.parseDensity(strings.TrimSpace(density), base); err != nil {
		return v, fmt.Errorf("%s: %w", q.Name, err)
	}
	return v, nil
}

func (v *Variable) parseDensity(text string, base *Case) error {
	if nominal, rest, ok := strings.Cut(text, "+-"); ok {
		return v.parseAround(strings.TrimSpace(nominal), rest, base)
	}
	kind, list, ok := strings.Cut(text, "(")
	if !ok || !strings.HasSuffix(list, ")") {
		return v.parseDiscrete(text)
	}
	kind, list = strings.ToLower(strings.TrimSpace(kind)), strings.TrimSuffix(list, ")")
	switch {
	case kind == constant && len(splitList(list)) != 1:
		return fmt.Errorf("must be constant(value), not %q", text)
	case kind == constant || kind == discrete:
		return v.parseDiscrete(list)
	}
	k := densityByName(kind)
	switch {
	case k == nil:
		return fmt.Errorf("there is no density %q, but %s", kind, densityNames())
	case v.Quantity.Words:
		return errors.New("its values are words, which have no order: list them, such as discrete(A, B*2)")
	}
	args := splitList(list)
	if len(args) < k.Least || len(args) > len(k.Params) {
		return fmt.Errorf("must be %s, not %q", k.usage(), text)
	}
	v.Kind = kind
	for i, a := range args {
		x, err := v.Quantity.amount(a)
		if err != nil {
			return fmt.Errorf("%s of %s: %w", k.Params[i], k.usage(), err)
		}
		v.Args = append(v.Args, x)
	}
	if err := k.check(v.Args); err != nil {
		return fmt.Errorf("%s %w", text, err)
	}
	v.inverse = k.inverse(v.Args)
	return nil
}

// parseAround reads [NOMINAL]+-PERCENT%; the default nominal value is the base's.
func (v *Variable) parseAround(value, text string, base *Case) error {
	p, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !strings.HasSuffix(text, "%") || !(p > 0 && p <= 100) {
		return fmt.Errorf("must be VALUE+-PERCENT%%, > 0 and <= 100, not %q", value+"+-"+text)
	}
	if v.Quantity.Get == nil || v.Quantity.Words {
		return errors.New("has no value to vary by percent")
	}
	nominal, uniform := 0.0, true
	switch {
	case value != "":
		if nominal, err = v.Quantity.amount(value); err != nil {
			return err
		}
	case base != nil:
		nominal, uniform = v.Quantity.Get(base)
	}
	if !uniform || nominal == 0 {
		return fmt.Errorf("is %s on the machine, which cannot be varied by percent", v.Quantity.Show(nominal))
	}
	v.Kind, v.Args = "uniform", []float64{nominal * (1 - p/100), nominal * (1 + p/100)}
	v.inverse = densityByName("uniform").inverse(v.Args)
	return nil
}

// parseDiscrete reads VALUE or VALUE*WEIGHT, ...
func (v *Variable) parseDiscrete(list string) error {
	sum := 0.0
	for i, text := range splitList(list) {
		value, weight := text, 1.0
		if at := strings.LastIndex(text, "*"); at >= 0 {
			var err error
			if weight, err = quantity.Number.Parse(text[at+1:], 1); err != nil || !(weight > 0) ||
				math.IsInf(weight, 0) {
				return fmt.Errorf("%q must be VALUE*WEIGHT with a weight > 0", text)
			}
			value = strings.TrimSpace(text[:at])
		}
		set, err := v.Quantity.Setter(value)
		if err != nil {
			return err
		}
		number := float64(i)
		if v.Quantity.Words {
			v.Levels, v.set = append(v.Levels, value), append(v.set, set)
		} else if number, err = v.Quantity.Parse(value); err != nil {
			return err
		}
		v.Args, v.Weights = append(v.Args, number), append(v.Weights, weight)
		sum += weight
	}
	for i := range v.Weights {
		v.Weights[i] /= sum
	}
	if v.Kind = discrete; len(v.Args) == 1 {
		v.Kind = constant
	}
	v.inverse = v.listInverse
	return nil
}

// listInverse returns the inverse of a discrete distribution.
func (v *Variable) listInverse(u float64) float64 {
	for i, w := range v.Weights {
		if u -= w; u < 0 {
			return v.Args[i]
		}
	}
	return v.Args[len(v.Args)-1]
}

// At returns the value at u in (0, 1), rounded where the quantity is whole; physical reports whether the quantity can
// have it.
func (v *Variable) At(u float64) (x float64, physical bool) {
	x = v.inverse(u)
	if v.Weights != nil { // listed values are taken literally, including special ones
		return x, true
	}
	q := v.Quantity
	if q.Whole {
		x = math.Round(x)
	}
	return x, (x > q.Above || q.Closed && x == q.Above) && x <= q.Most
}

// Apply sets the variable to a drawn value.
func (v *Variable) Apply(c *Case, x float64) {
	if v.set != nil {
		v.set[int(x)](c)
		return
	}
	v.Quantity.Set(c, x)
}

func densityByName(name string) *DensityKind {
	for i := range Densities {
		if Densities[i].Name == name {
			return &Densities[i]
		}
	}
	return nil
}

func densityNames() string {
	var names []string
	for i := range Densities {
		names = append(names, Densities[i].Name)
	}
	return strings.Join(append(names, constant, discrete), ", ")
}

// splitList splits at the commas outside of brackets.
func splitList(text string) (list []string) {
	depth, from := 0, 0
	for i, r := range text {
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	return append(list, strings.TrimSpace(text[from:]))
}
