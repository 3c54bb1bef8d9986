package notation

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
)

// A query for the records that n and N go to.

// Query says which record n and N look for: an event, a message or a state.
// Criteria are joined by and.
type Query struct {
	Text        string // as typed
	Type, value *filter.Criterion
	tag, size   *filter.Criterion
	Pairs       map[TypeValue]bool // values of certain types, found by label
	State       map[int64]bool
}

// Messages reports whether messages are looked for, States whether states are; else events are.
func (q *Query) Messages() bool { return q.tag != nil || q.size != nil }
func (q *Query) States() bool   { return q.State != nil }

// Event reports whether an event matches; scaled is its value
// after the precision of its type.
func (q *Query) Event(typ uint32, value int64, scaled float64) bool {
	return passes(q.Type, float64(typ)) && passes(q.value, scaled) && (q.Pairs == nil || q.Pairs[TypeValue{typ, value}])
}

// Message reports whether communication i matches.
func (q *Query) Message(c *prv.Comms, i int) bool {
	return passes(q.tag, float64(c.Tag[i])) && passes(q.size, float64(c.Size[i]))
}

func passes(c *filter.Criterion, v float64) bool { return c == nil || c.Test(v) }

// ParseQuery reads criteria: "type=40 value=3", "40:3", "tag=5", "size>1000",
// "state=Running", or a part of a label of an event type or value. Labels with
// blanks stand in double quotes.
func ParseQuery(text string, labels *prv.Labels) (*Query, error) {
	q := &Query{Text: strings.TrimSpace(text)}
	words, err := splitWords(q.Text)
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

// QueryWords are the criteria of a query.
var QueryWords = []string{"type", "value", "tag", "size", "state"}

func isCriterion(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

func (q *Query) check() error {
	events := q.Type != nil || q.value != nil || q.Pairs != nil
	kinds := 0
	for _, asked := range []bool{events, q.Messages(), q.States()} {
		if asked {
			kinds++
		}
	}
	switch kinds {
	case 0:
		return errors.New("search for: type=40 value=3, tag=5, size>1000, state=Running, or a label")
	case 1:
		return nil
	}
	return errors.New("cannot search for events, messages and states together")
}

// criterion reads a criterion: word is the compared property, rest the operator and the list.
func (q *Query) criterion(word, rest string, labels *prv.Labels) error {
	to, ok := map[string]**filter.Criterion{"type": &q.Type, "value": &q.value, "tag": &q.tag, "size": &q.size}[word]
	if text, is := strings.CutPrefix(rest, "="); is && word == "state" {
		var err error
		q.State, err = StatesNamed(text, labels)
		return err
	}
	if !ok {
		return fmt.Errorf("unknown %s%s; known: %s=", word, rest, strings.Join(QueryWords, "=, "))
	}
	if text, is := strings.CutPrefix(rest, "="); is && word == "value" {
		// A label stands for different numbers in different types.
		if _, err := parseNumbers(text); err != nil && !strings.HasPrefix(text, "[") {
			if q.Pairs = PairsNamed(text, labels); q.Pairs == nil {
				return fmt.Errorf("unknown event value %q", text)
			}
			return nil
		}
	}
	c, err := ParseCriterion(word, rest, labels, semantic.Nanoseconds) // no criterion of a query takes a time
	*to = &c
	return err
}

// label reads a word without a key: "40:3", or a label of a value or a type.
func (q *Query) label(text string, labels *prv.Labels) error {
	if typ, value, ok := strings.Cut(text, ":"); ok {
		t, err1 := parseNumbers(typ)
		v, err2 := parseNumbers(value)
		if err1 == nil && err2 == nil {
			q.Type = &filter.Criterion{Func: filter.Equal, Values: t}
			q.value = &filter.Criterion{Func: filter.Equal, Values: v}
			return nil
		}
	}
	if q.Pairs = PairsNamed(text, labels); q.Pairs != nil {
		return nil
	}
	types, err := TypesNamed(text, labels)
	if err != nil {
		return fmt.Errorf("%q is neither a time nor an event label", text)
	}
	q.Type = OnlyTypes(types...)
	return nil
}

// OnlyTypes returns the criterion that an event has one of some types.
func OnlyTypes(types ...uint32) *filter.Criterion {
	f := filter.Only(types...)
	return &f.Events.Type
}
