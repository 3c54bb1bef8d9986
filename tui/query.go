package tui

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"pview/filter"
	"pview/prv"
)

// query says which record n and N look for: an event, a message or a state.
// Criteria are joined by and.
type query struct {
	text       string // as typed
	typ, value *filter.Criterion
	tag, size  *filter.Criterion
	pairs      map[typeValue]bool // values of certain types, found by label
	state      map[int64]bool
}

type typeValue struct {
	typ   uint32
	value int64
}

func (q *query) messages() bool { return q.tag != nil || q.size != nil }
func (q *query) states() bool   { return q.state != nil }

// event reports whether an event is what is looked for; scaled is its value
// after the precision of its type.
func (q *query) event(typ uint32, value int64, scaled float64) bool {
	return passes(q.typ, float64(typ)) && passes(q.value, scaled) && (q.pairs == nil || q.pairs[typeValue{typ, value}])
}

// message reports whether communication i is what is looked for.
func (q *query) message(c *prv.Comms, i int) bool {
	return passes(q.tag, float64(c.Tag[i])) && passes(q.size, float64(c.Size[i]))
}

func passes(c *filter.Criterion, v float64) bool { return c == nil || c.Test(v) }

// parseQuery reads criteria: "type=40 value=3", "40:3", "tag=5", "size>1000",
// "state=Running", or a part of a label of an event type or value. Labels with
// blanks stand in double quotes.
func parseQuery(text string, labels *prv.Labels) (*query, error) {
	q := &query{text: strings.TrimSpace(text)}
	words, err := splitWords(q.text)
	if err != nil {
		return nil, err
	}
	var loose []string
	for _, w := range words {
		if i := strings.IndexAny(w, "=!<>"); i > 0 && isCriterion(w[:i]) {
			if err := q.criterion(strings.ToLower(w[:i]), w[i:], labels); err != nil {
				return nil, err
			}
		} else {
			loose = append(loose, w)
		}
	}
	if len(loose) > 0 {
		if err := q.label(strings.Join(loose, " "), labels); err != nil {
			return nil, err
		}
	}
	return q, q.check()
}

// queryWords are the criteria of a query.
var queryWords = []string{"type", "value", "tag", "size", "state"}

func isCriterion(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

func (q *query) check() error {
	events := q.typ != nil || q.value != nil || q.pairs != nil
	kinds := 0
	for _, asked := range []bool{events, q.messages(), q.states()} {
		if asked {
			kinds++
		}
	}
	switch kinds {
	case 0:
		return errors.New("what to look for? type=40 value=3, tag=5, size>1000, state=Running, or a label")
	case 1:
		return nil
	}
	return errors.New("an event, a message and a state cannot be looked for together")
}

// criterion reads one: word is what is compared, rest the operator and the list.
func (q *query) criterion(word, rest string, labels *prv.Labels) error {
	to, ok := map[string]**filter.Criterion{"type": &q.typ, "value": &q.value, "tag": &q.tag, "size": &q.size}[word]
	if text, is := strings.CutPrefix(rest, "="); is && word == "state" {
		var err error
		q.state, err = statesNamed(text, labels)
		return err
	}
	if !ok {
		return fmt.Errorf("%s%s is not known: %s= are", word, rest, strings.Join(queryWords, "=, "))
	}
	if text, is := strings.CutPrefix(rest, "="); is && word == "value" {
		// A label stands for different numbers in different types.
		if _, err := parseNumbers(text); err != nil && !strings.HasPrefix(text, "[") {
			if q.pairs = pairsNamed(text, labels); q.pairs == nil {
				return fmt.Errorf("no event value is called %q", text)
			}
			return nil
		}
	}
	c, err := parseCriterion(word, rest, labels)
	*to = &c
	return err
}

// typesNamed returns the event types of a list of numbers, or those with a label.
func typesNamed(text string, labels *prv.Labels) ([]uint32, error) {
	if list, err := parseNumbers(text); err == nil {
		var types []uint32
		for _, v := range list {
			if v < 0 || v > math.MaxUint32 || v != math.Trunc(v) {
				return nil, fmt.Errorf("%g is no event type", v)
			}
			types = append(types, uint32(v))
		}
		return types, nil
	}
	var exact, part []uint32
	for _, t := range knownTypes(labels) {
		switch {
		case strings.EqualFold(t.Label, text):
			exact = append(exact, t.Type)
		case containsFold(t.Label, text):
			part = append(part, t.Type)
		}
	}
	if exact == nil {
		exact = part
	}
	if exact == nil {
		return nil, fmt.Errorf("no event type is called %q", text)
	}
	return exact, nil
}

// knownTypes and knownStates are what has a label: in the .pcf, or without one by
// convention.
func knownTypes(labels *prv.Labels) []prv.EventType {
	if len(labels.Types) == 0 {
		return prv.DefaultTypes
	}
	return labels.Types
}

func knownStates(labels *prv.Labels) []prv.ValueLabel {
	if len(labels.States) == 0 {
		return prv.DefaultStates
	}
	return labels.States
}

// pairsNamed returns the values with a label, of all types; nil for none.
func pairsNamed(text string, labels *prv.Labels) map[typeValue]bool {
	var exact, part map[typeValue]bool
	put := func(m *map[typeValue]bool, p typeValue) {
		if *m == nil {
			*m = map[typeValue]bool{}
		}
		(*m)[p] = true
	}
	for i := range labels.Types {
		t := &labels.Types[i]
		for _, v := range t.Values {
			switch {
			case strings.EqualFold(v.Label, text):
				put(&exact, typeValue{t.Type, v.Value})
			case containsFold(v.Label, text):
				put(&part, typeValue{t.Type, v.Value})
			}
		}
	}
	if exact != nil {
		return exact
	}
	return part
}

func statesNamed(text string, labels *prv.Labels) (map[int64]bool, error) {
	found := map[int64]bool{}
	if list, err := parseNumbers(text); err == nil {
		for _, v := range list {
			found[int64(v)] = true
		}
		return found, nil
	}
	for _, s := range knownStates(labels) {
		if containsFold(s.Label, text) {
			found[s.Value] = true
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no state is called %q", text)
	}
	return found, nil
}

// label reads what stands without a key: "40:3", or a label of a value or a type.
func (q *query) label(text string, labels *prv.Labels) error {
	if typ, value, ok := strings.Cut(text, ":"); ok {
		t, err1 := parseNumbers(typ)
		v, err2 := parseNumbers(value)
		if err1 == nil && err2 == nil {
			q.typ = &filter.Criterion{Func: filter.Equal, Values: t}
			q.value = &filter.Criterion{Func: filter.Equal, Values: v}
			return nil
		}
	}
	if q.pairs = pairsNamed(text, labels); q.pairs != nil {
		return nil
	}
	types, err := typesNamed(text, labels)
	if err != nil {
		return fmt.Errorf("%q is no time, and no label of an event", text)
	}
	q.typ = onlyTypes(types...)
	return nil
}

// onlyTypes is the criterion that an event has one of some types.
func onlyTypes(types ...uint32) *filter.Criterion {
	f := filter.Only(types...)
	return &f.Events.Type
}

// parseNumbers reads a list of numbers: "1,3".
func parseNumbers(text string) ([]float64, error) {
	var list []float64
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is no number", f)
		}
		list = append(list, v)
	}
	if list == nil {
		return nil, errors.New("a number is missing")
	}
	return list, nil
}

// splitWords splits a text at blanks, except within double quotes, which it drops.
func splitWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	quoted, any := false, false
	for _, r := range text {
		switch {
		case r == '"':
			quoted, any = !quoted, true
		case r == ' ' && !quoted:
			if any {
				words = append(words, word.String())
			}
			word.Reset()
			any = false
		default:
			word.WriteRune(r)
			any = true
		}
	}
	if quoted {
		return nil, errors.New(`a closing " is missing`)
	}
	if any {
		words = append(words, word.String())
	}
	return words, nil
}

func containsFold(s, part string) bool {
	return part != "" && strings.Contains(strings.ToLower(s), strings.ToLower(part))
}
