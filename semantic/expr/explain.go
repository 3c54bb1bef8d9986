package expr

// The messages of the language's compiler, reworded for the user who typed the expression: for unknown names they list
// the existing ones, for bad tokens the probable meaning.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// rewording is a message of the compiler and its replacement; $1 and $2 are parts of the former.
type rewording struct {
	message *regexp.Regexp
	say     string
}

var rewordings = []rewording{
	{regexp.MustCompile(`^unexpected token EOF`), "the expression is not complete"},
	{regexp.MustCompile(`^unexpected token Operator\("="\)`), `"=" compares nothing: == compares`},
	{regexp.MustCompile(`^unexpected token Operator\("&"\)`), `"&" is no operator: && is and`},
	{regexp.MustCompile(`^unexpected token Operator\("\|"\)`), `"|" is no operator: || is or`},
	{regexp.MustCompile(`^unexpected token Bracket\("([)\]}])"\)`), `"$1" closes nothing`},
	{regexp.MustCompile(`^unexpected token \w+\((".*")\)`), "$1 cannot stand here"},
	{regexp.MustCompile(`^unrecognized character: U\+[0-9A-F]+ '(.+)'`), `"$1" cannot stand here`},
	{regexp.MustCompile(`^literal not terminated`), "a closing quote is missing"},
	{regexp.MustCompile(`^invalid operation: (\S+) \(mismatched types (\S+) and (\S+)\)`),
		`$1 does not go with a $2 and a $3`},
	{regexp.MustCompile(`^cannot use (\S+) as argument \(type (\S+)\) to call (\w+)`), "$3 takes a $2, not a $1"},
	{regexp.MustCompile(`^too many arguments to call (\w+)`), "$1 has too many arguments"},
	{regexp.MustCompile(`^not enough arguments to call (\w+)`), "$1 has too few arguments"},
}

var (
	unknownName = regexp.MustCompile(`^unknown name (\w+)`)
	notCallable = regexp.MustCompile(`^\S+ is not callable`)
	kindOfValue = regexp.MustCompile(`\b(float64|int|bool)\b`)
)

// kinds are the types of the language in a user's words.
var kinds = map[string]string{"float64": "number", "int": "number", "bool": "condition"}

// explain rewords an error in plain words, with the variables given to Compile.
func explain(e *Error, variables any) *Error {
	if m := unknownName.FindStringSubmatch(e.Why); m != nil {
		e.Why = fmt.Sprintf("unknown name %q; known: %s", m[1], strings.Join(nearest(m[1], Names(variables)), ", "))
		return e
	}
	if notCallable.MatchString(e.Why) {
		e.Why = fmt.Sprintf("%q is no function; functions: %s", word(e), strings.Join(callable(), ", "))
		return e
	}
	for _, r := range rewordings {
		if m := r.message.FindStringSubmatchIndex(e.Why); m != nil {
			said := string(r.message.ExpandString(nil, r.say, e.Why, m))
			e.Why = kindOfValue.ReplaceAllStringFunc(said, func(kind string) string { return kinds[kind] })
			break
		}
	}
	return e
}

// typo is the maximum number of letters in which a typed name may differ.
const typo = 2

// nearest puts likely names before the others.
func nearest(typed string, names []string) []string {
	wrong := func(name string) int {
		return min(levenshtein.Distance(typed, strings.TrimSuffix(name, "()"), nil), typo+1)
	}
	slices.SortStableFunc(names, func(a, b string) int { return wrong(a) - wrong(b) })
	return names
}

// word returns the name that an error points at.
func word(e *Error) string {
	lines := strings.Split(e.Text, "\n")
	if e.Line > len(lines) {
		return e.Text
	}
	line := []rune(lines[e.Line-1])
	return namePrefix.FindString(string(line[min(max(e.Column-1, 0), len(line)):]))
}

var namePrefix = regexp.MustCompile(`^\w*`)

// Names lists the names that an expression can use: variables, then functions.
func Names(variables any) []string {
	var list []string
	for _, v := range Variables(variables) {
		list = append(list, v.Name)
	}
	return append(list, callable()...)
}

// callable lists the functions of numbers.
func callable() []string {
	list := []string{"abs()", "min()", "max()", "floor()", "ceil()", "round()"}
	for _, f := range Functions {
		list = append(list, f.Name+"()")
	}
	return list
}
