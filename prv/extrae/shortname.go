package extrae

// Names of functions and kernels as sentences and screens show them.

import (
	"regexp"
	"strings"
)

// FunctionName is the name in the label of a function: of "f [f(double*, int) [clone ._omp_fn.0]]" it is "f._omp_fn.0".
// Functions with other arguments have other names.
func FunctionName(label string) string {
	name, long, ok := strings.Cut(label, " [")
	if !ok {
		return label
	}
	if _, clone, ok := strings.Cut(long, "[clone "); ok {
		name += strings.TrimRight(clone, "]")
	}
	return name
}

// ShortName is FunctionName without arguments, those of templates, and the type of the result: up to the first < or (
// that opens neither "(anonymous namespace)" nor the name of an operator.
func ShortName(label string) string {
	name := FunctionName(label)
	short := strings.TrimPrefix(name, "void ")
	for at := 0; ; {
		i := strings.IndexAny(short[at:], "<(")
		switch {
		case i < 0:
			return short
		case strings.HasPrefix(short[at+i:], anonymous):
			at += i + len(anonymous)
		case strings.HasSuffix(short[:at+i], "operator"):
			at += i + len(operator.FindString(short[at+i:]))
		case at+i == 0: // the name is nothing else
			return name
		default:
			return strings.TrimSpace(short[:at+i])
		}
	}
}

const anonymous = "(anonymous namespace)"

// operator is the name of an operator that begins like arguments do.
var operator = regexp.MustCompile(`^(\(\)|<=>|<<=?|<=?|\()`)
