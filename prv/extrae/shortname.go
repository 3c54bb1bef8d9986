package extrae

// Names of functions and kernels as sentences and screens show them.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pview/prv"
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

// RegionName is the name of the code that an event begins, for sentences: the name in the label of its value; without
// one "function 4" or "cluster 4", of other types "value 4".
func RegionName(l *prv.Labels, typ uint32, value int64) string {
	t, known := l.Type(typ)
	if known {
		if label, ok := t.ValueLabel(value); ok {
			return FunctionName(label)
		}
	}
	if typ == ClusterID {
		return fmt.Sprintf("cluster %d", value)
	}
	of := func(e entry) bool {
		if known && t.Label != "" {
			return e.family == Functions && e.has(t.Label)
		}
		return e.family == Functions && e.number == typ
	}
	if slices.ContainsFunc(entries, of) {
		return fmt.Sprintf("function %d", value)
	}
	return l.ValueName(typ, value)
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
