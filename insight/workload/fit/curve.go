package fit

// Curves through points, by least squares.

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Form is a form of a curve: linear in its coefficients, possibly on logarithms.
type Form struct {
	Name    string
	Formula string // with a, b, c, ... for the coefficients
	Doc     string
	// terms are the functions whose sum is fitted.
	terms []func(x float64) float64
	// logs: the logarithm of y is fitted, and the first coefficient is the logarithm of the constant.
	logs bool
}

func power(n int) func(float64) float64 {
	return func(x float64) float64 { return math.Pow(x, float64(n)) }
}

func one(float64) float64 { return 1 }

func polynomial(degree int, name, formula string) Form {
	f := Form{Name: name, Formula: formula, Doc: fmt.Sprintf("polynomial of degree %d", degree)}
	for n := range degree + 1 {
		f.terms = append(f.terms, power(n))
	}
	return f
}

func reciprocal(x float64) float64 { return 1 / x }

// forms are the forms of curves.
var forms = []Form{
	polynomial(1, "line", "a + b*x"), polynomial(2, "square", "a + b*x + c*x^2"),
	polynomial(3, "cubic", "a + b*x + c*x^2 + d*x^3"),
	polynomial(4, "quartic", "a + b*x + c*x^2 + d*x^3 + e*x^4"),
	polynomial(5, "quintic", "a + b*x + c*x^2 + d*x^3 + e*x^4 + f*x^5"),
	{"power", "a*x^b", "power law, fitted to logarithms", []func(float64) float64{one, math.Log}, true},
	{"exponential", "a*e^(b*x)", "fitted to the logarithm of y", []func(float64) float64{one, power(1)}, true},
	{"logarithmic", "a + b*ln(x)", "", []func(float64) float64{one, math.Log}, false},
	{"amdahl", "a + b/x", "a serial and a parallel part: the execution signature",
		[]func(float64) float64{one, reciprocal}, false},
	{"overhead", "a + b/x + c*x", "with an overhead that grows with the processors",
		[]func(float64) float64{one, reciprocal, power(1)}, false},
	{"log-overhead", "a + b/x + c*log2(x)", "with an overhead that grows with the levels of a tree",
		[]func(float64) float64{one, reciprocal, math.Log2}, false},
}

// FormByName returns a form, nil for an unknown name.
func FormByName(name string) *Form {
	for i := range forms {
		if strings.EqualFold(forms[i].Name, name) {
			return &forms[i]
		}
	}
	return nil
}

// Curve is a form with coefficients.
type Curve struct {
	*Form
	Coefficients []float64
	R2           float64 // in the units of y
	Residual     float64 // sum of squares
	Points       int
}

// Fit fits a form to points. The error says why that is impossible: too few points, or no logarithm.
func (f *Form) Fit(x, y []float64) (*Curve, error) {
	n, k := len(x), len(f.terms)
	if n < k {
		return nil, fmt.Errorf("%s: needs at least %d points, not %d", f.Name, k, n)
	}
	a, b := mat.NewDense(n, k, nil), mat.NewVecDense(n, nil)
	for i := range x {
		v := y[i]
		if f.logs {
			v = math.Log(v)
		}
		for j, term := range f.terms {
			a.Set(i, j, term(x[i]))
			if t := a.At(i, j); math.IsNaN(t) || math.IsInf(t, 0) {
				return nil, fmt.Errorf("%s: x = %v is outside of its range", f.Name, x[i])
			}
		}
		if b.SetVec(i, v); math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%s: y = %v is outside of its range", f.Name, y[i])
		}
	}
	var c mat.VecDense
	if err := c.SolveVec(a, b); err != nil {
		return nil, fmt.Errorf("%s: the points do not determine it", f.Name)
	}
	out := &Curve{Form: f, Coefficients: append([]float64{}, c.RawVector().Data...), Points: n}
	if f.logs {
		out.Coefficients[0] = math.Exp(out.Coefficients[0])
	}
	mean, total := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(n)
	}
	for i, v := range y {
		d := v - out.At(x[i])
		out.Residual += d * d
		total += (v - mean) * (v - mean)
	}
	if out.R2 = 1; total > 0 {
		out.R2 = 1 - out.Residual/total
	}
	return out, nil
}

// At returns the value of the curve.
func (c *Curve) At(x float64) (y float64) {
	if c.logs {
		e := math.Log(c.Coefficients[0])
		for j, term := range c.terms[1:] {
			e += c.Coefficients[j+1] * term(x)
		}
		return math.Exp(e)
	}
	for j, term := range c.terms {
		y += c.Coefficients[j] * term(x)
	}
	return y
}

// String writes the curve with its coefficients.
func (c *Curve) String() string {
	text := c.Formula
	for j, v := range c.Coefficients {
		text = replaceLetter(text, byte('a'+j), fmt.Sprintf("%.4g", v))
	}
	return text
}

// replaceLetter replaces a letter that stands on its own.
func replaceLetter(text string, letter byte, by string) string {
	isLetter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= '0' && text[i] <= '9')
	}
	for i := range len(text) {
		if text[i] == letter && !isLetter(i-1) && !isLetter(i+1) && (i+1 >= len(text) || text[i+1] != '^') {
			return text[:i] + by + text[i+1:]
		}
	}
	return text
}
