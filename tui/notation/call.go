package notation

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"pview/prv"
	"pview/semantic"
	"pview/tui/dialog"
)

// A function as people type it, with its parameters: "In State Running", "Mod 2"; or one of the user's own, an
// expression after "=": "= state == 1 && value > 0".

// ParseCall reads a function and its parameters: "In State 1,3", "In State Running", "Select Range 10 2", or in braces,
// as in pview stat: "In State {1,3}". Names contain blanks, so the longest name that fits counts; if none fits, the
// text is treated as a part of a name. After "=" follows an expression. Times are in the given unit.
func ParseCall(f semantic.Family, text string, labels *prv.Labels, unit semantic.Unit) (semantic.Call, error) {
	if e, ok := expression(text); ok {
		return semantic.UserCall(f, e)
	}
	text, lists, err := cutBraces(text)
	if err != nil {
		return semantic.Call{}, err
	}
	words := strings.Fields(text)
	for n := len(words); n > 0; n-- {
		e, ok := semantic.Lookup(f, strings.Join(words[:n], " "))
		if !ok {
			continue
		}
		call := semantic.Call{Name: e.Name}
		rest := append(words[n:], lists...)
		if states, err := StatesNamed(strings.Join(rest, " "), labels); err == nil && e.Group == "State" &&
			len(rest) > 0 {
			call.Params, rest = [][]float64{StateList(states)}, nil
		}
		for _, p := range rest {
			list, err := ParseAmounts(p, unit)
			if err != nil {
				return call, fmt.Errorf("%s: %w", e.Name, err)
			}
			call.Params = append(call.Params, list)
		}
		if len(call.Params) > len(e.Params) {
			return call, fmt.Errorf("%s takes %d parameters, not %d", e.Name, len(e.Params), len(call.Params))
		}
		return call, nil
	}
	table := semantic.Functions(f)
	if fit := dialog.Rank(text, len(table), func(i int) string { return table[i].Name }); len(fit) > 0 {
		return semantic.Call{Name: table[fit[0]].Name}, nil
	}
	return semantic.Call{}, fmt.Errorf("unknown %s %q", f, text)
}

// cutBraces splits a text at its first brace: the text before it, and the contents of all pairs of braces.
func cutBraces(text string) (before string, lists []string, err error) {
	before, rest, found := strings.Cut(text, "{")
	for found {
		var list string
		if list, rest, found = strings.Cut(rest, "}"); !found {
			return "", nil, fmt.Errorf("no } behind {%s", list)
		}
		lists = append(lists, list)
		var between string
		if between, rest, found = strings.Cut(rest, "{"); strings.Trim(between, " ,") != "" {
			return "", nil, fmt.Errorf("%q must be in braces", strings.TrimSpace(between))
		}
	}
	return before, lists, nil
}

// CompleteCall completes a function of a family.
func CompleteCall(f semantic.Family, args string) []string {
	if _, ok := expression(args); ok {
		return completeExpression(f, args)
	}
	var names []string
	for _, e := range semantic.Functions(f) {
		if e.Name == semantic.UserFunction {
			names = append(names, "= "+e.Expression)
			continue
		}
		if strings.HasPrefix(strings.ToLower(args), strings.ToLower(e.Name)+" ") {
			return nil // the name is complete, parameters follow
		}
		names = append(names, e.Name)
	}
	return names
}

// expression returns what follows the "=" of a text that is an expression.
func expression(text string) (string, bool) {
	e, ok := strings.CutPrefix(strings.TrimSpace(text), "=")
	return strings.TrimSpace(e), ok
}

// operand is the end of an expression after which no name can follow.
var operand = regexp.MustCompile(`[\w)\]]\s*$`)

// completeExpression offers the variables of a family whose names begin as the last
// word of the text does.
func completeExpression(f semantic.Family, text string) []string {
	e, ok := semantic.Lookup(f, semantic.UserFunction)
	if !ok {
		return nil
	}
	at := strings.LastIndexFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) + 1
	head, word := text[:at], text[at:]
	if word == "" && operand.MatchString(head) {
		return nil // an operator must follow
	}
	var list []string
	for _, v := range e.Variables {
		if strings.HasPrefix(v.Name, word) {
			list = append(list, head+v.Name)
		}
	}
	return list
}
