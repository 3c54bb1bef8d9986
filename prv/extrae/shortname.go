package extrae

// Names of functions and kernels as in sentences and on screens.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pview/prv"
)

// FunctionName returns the name in the label of a function, such as "f._omp_fn.0" for "f [f(double*, int) [clone
// ._omp_fn.0]]". Functions with other arguments have other names.
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

// RegionName returns the name of the code that an event begins, for sentences: the name in the label of its value;
// without one "function 4" or "cluster 4", of other types "value 4".
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

// ShortName returns FunctionName without arguments, template arguments and result type: it ends at the first < or (
// that opens neither an unnamed part, such as "(anonymous namespace)", nor the name of an operator, nor the arguments
// of a class after which the name continues.
func ShortName(label string) string {
	name := FunctionName(label)
	short := strings.TrimPrefix(name, "void ")
	for at := 0; ; {
		i := strings.IndexAny(short[at:], "<(")
		if i < 0 {
			return short
		}
		open, rest := at+i, short[at+i:]
		arguments := closing(rest)
		switch part := unnamed.FindString(rest); {
		case part != "":
			at = open + len(part)
		case strings.HasSuffix(short[:open], "operator"):
			at = open + len(operator.FindString(rest))
		case open == 0: // the name has no other part
			return name
		case strings.HasPrefix(rest[arguments:], "::"):
			short, at = short[:open]+rest[arguments:], open
			_, of, isResult := strings.Cut(short[open:], "::type ")
			if isResult && !strings.ContainsAny(short[:open], "( ") {
				short, at = of, 0
			}
		default:
			return strings.TrimSpace(short[:open])
		}
	}
}

// closing returns the length of the template arguments that a text begins with; 0 if there are none, or they do not
// end.
func closing(text string) int {
	depth := 0
	for i, c := range []byte(text) {
		switch c {
		case '<', '(':
			depth++
		case '>', ')':
			depth--
		}
		if depth == 0 && text[0] == '<' {
			return i + 1
		} else if depth == 0 {
			break
		}
	}
	return 0
}

// unnamed matches an unnamed part of a name, as written by compilers.
var unnamed = regexp.MustCompile(`^(\(anonymous namespace\)|<unnamed>)`)

// operator matches the name of an operator that begins like arguments.
var operator = regexp.MustCompile(`^(\(\)|<=>|<<=?|<=?|\()`)
