package tui

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
)

// query says which record n and N look for: an event, a message or a state.
// Criteria are joined by and.
type query struct {
	text  string // as typed
	types []uint32
	// values holds numbers as people see them (scaled by the .pcf's precision); pairs
	// are values of certain types, found by label.
	values []float64
	pairs  map[typeValue]bool
	tag    *int64
	size   *int64
	state  map[int64]bool
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
	return (q.types == nil || slices.Contains(q.types, typ)) &&
		(q.values == nil || slices.Contains(q.values, scaled)) &&
		(q.pairs == nil || q.pairs[typeValue{typ, value}])
}

// message reports whether communication i is what is looked for.
func (q *query) message(c *prv.Comms, i int) bool {
	return (q.tag == nil || c.Tag[i] == *q.tag) && (q.size == nil || c.Size[i] == *q.size)
}

// parseQuery reads criteria: "type=40 value=3", "40:3", "tag=5", "size=1000",
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
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			loose = append(loose, w)
			continue
		}
		if err := q.criterion(strings.ToLower(strings.TrimSpace(key)), value, labels); err != nil {
			return nil, err
		}
	}
	if len(loose) > 0 {
		if err := q.label(strings.Join(loose, " "), labels); err != nil {
			return nil, err
		}
	}
	return q, q.check()
}

func (q *query) check() error {
	events := q.types != nil || q.values != nil || q.pairs != nil
	kinds := 0
	for _, asked := range []bool{events, q.messages(), q.states()} {
		if asked {
			kinds++
		}
	}
	switch kinds {
	case 0:
		return errors.New("what to look for? type=40 value=3, tag=5, size=1000, state=Running, or a label")
	case 1:
		return nil
	}
	return errors.New("an event, a message and a state cannot be looked for together")
}

func (q *query) criterion(key, value string, labels *prv.Labels) error {
	integer := func() (*int64, error) {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s=%s: not an integer", key, value)
		}
		return &n, nil
	}
	var err error
	switch key {
	case "type":
		q.types, err = typesNamed(value, labels)
	case "value":
		err = q.valueNamed(value, labels)
	case "tag":
		q.tag, err = integer()
	case "size":
		q.size, err = integer()
	case "state":
		q.state, err = statesNamed(value, labels)
	default:
		err = fmt.Errorf("%s= is not known: type, value, tag, size, state are", key)
	}
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

func (q *query) valueNamed(text string, labels *prv.Labels) error {
	if list, err := parseNumbers(text); err == nil {
		q.values = list
		return nil
	}
	if q.pairs = pairsNamed(text, labels); q.pairs == nil {
		return fmt.Errorf("no event value is called %q", text)
	}
	return nil
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
			q.values = v
			var err error
			q.types, err = typesNamed(numbers(t), labels)
			return err
		}
	}
	if q.pairs = pairsNamed(text, labels); q.pairs != nil {
		return nil
	}
	types, err := typesNamed(text, labels)
	if err != nil {
		return fmt.Errorf("%q is no time, and no label of an event", text)
	}
	q.types = types
	return nil
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
