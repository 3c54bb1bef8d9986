package notation

import (
	"fmt"
	"strings"

	"pview/filter"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/semantic"
)

// A filter as people type it: "type=40 value>0 tag!=5,6 size=[1000,2000] logical physical". Types and values may be
// labels. Criteria that are not mentioned accept everything.

// FilterWord is a word of the language, and its criterion.
type FilterWord struct {
	Word, Doc string
	Criterion func(*filter.Filter) *filter.Criterion
}

// FilterWords are the words that a list of numbers or labels follows.
var FilterWords = []FilterWord{
	{"type", "event type, number or label", func(f *filter.Filter) *filter.Criterion { return &f.Events.Type }},
	{"value", "event value, number or label", func(f *filter.Filter) *filter.Criterion { return &f.Events.Value }},
	{"from", "number of the sending object", func(f *filter.Filter) *filter.Criterion { return &f.Comms.From }},
	{"to", "number of the receiving object", func(f *filter.Filter) *filter.Criterion { return &f.Comms.To }},
	{"partner", "number of the object at the other end of a message", func(f *filter.Filter) *filter.Criterion {
		return &f.Comms.Partner
	}},
	{"tag", "tag of a message", func(f *filter.Filter) *filter.Criterion { return &f.Comms.Tag }},
	{"size", "bytes of a message", func(f *filter.Filter) *filter.Criterion { return &f.Comms.Size }},
	{"bandwidth", "bytes per unit of time of a message", func(f *filter.Filter) *filter.Criterion {
		return &f.Comms.Bandwidth
	}},
}

// FilterFlag is a word without arguments.
type FilterFlag struct {
	Word, doc string
	set       func(*filter.Filter)
	is        func(*filter.Filter) bool // in effect, and not by default
}

// FilterFlags are the words without arguments.
var FilterFlags = []FilterFlag{
	{"type-or-value", "type or value must match, not both", func(f *filter.Filter) { f.Events.Or = true },
		func(f *filter.Filter) bool { return f.Events.Or }},
	{"from-or-to", "one end of a message must match, not both", func(f *filter.Filter) { f.Comms.FromToOr = true },
		func(f *filter.Filter) bool { return f.Comms.FromToOr }},
	{"tag-or-size", "tag or size must match, not both", func(f *filter.Filter) { f.Comms.TagSizeOr = true },
		func(f *filter.Filter) bool { return f.Comms.TagSizeOr }},
	{"physical", "use physical times too", func(f *filter.Filter) { f.Comms.Physical = true },
		func(f *filter.Filter) bool { return f.Comms.Physical }},
	{"no-logical", "ignore logical times", func(f *filter.Filter) { f.Comms.Logical = false },
		func(f *filter.Filter) bool { return !f.Comms.Logical }},
	{"no-intra", "no messages within a node", func(f *filter.Filter) { f.Comms.Intra = false },
		func(f *filter.Filter) bool { return !f.Comms.Intra }},
	{"no-inter", "no messages between nodes", func(f *filter.Filter) { f.Comms.Inter = false },
		func(f *filter.Filter) bool { return !f.Comms.Inter }},
}

// ParseFilter reads a filter of a window with a unit of time. The empty text is the default filter.
func ParseFilter(text string, labels *prv.Labels, unit semantic.Unit) (filter.Filter, error) {
	f := filter.Default()
	words, err := splitWords(text)
	if err != nil {
		return f, err
	}
next:
	for _, w := range words {
		for _, flag := range FilterFlags {
			if w == flag.Word {
				flag.set(&f)
				continue next
			}
		}
		for _, c := range FilterWords {
			if rest, ok := strings.CutPrefix(w, c.Word); ok && rest != "" && strings.ContainsAny(rest[:1], "=!<>") {
				if *c.Criterion(&f), err = ParseCriterion(c.Word, rest, labels, unit); err != nil {
					return f, err
				}
				continue next
			}
		}
		return f, fmt.Errorf("%q is not a criterion such as type=40 value>0 tag!=5 size=[1000,2000] from=1 to=2", w)
	}
	return f, nil
}

// ParseCriterion reads what follows a word: "=1,2", "!=0", ">3", "<3", "=[1,5]",
// "=none", "=label".
func ParseCriterion(word, rest string, labels *prv.Labels, unit semantic.Unit) (filter.Criterion, error) {
	var c filter.Criterion
	switch {
	case strings.HasPrefix(rest, "!="):
		c.Func, rest = filter.NotEqual, rest[2:]
	case strings.HasPrefix(rest, ">"):
		c.Func, rest = filter.Greater, rest[1:]
	case strings.HasPrefix(rest, "<"):
		c.Func, rest = filter.Less, rest[1:]
	default:
		c.Func, rest = filter.Equal, strings.TrimPrefix(rest, "=")
	}
	if c.Func == filter.Equal && strings.EqualFold(rest, "none") {
		return filter.Criterion{Func: filter.None}, nil
	}
	if in, ok := strings.CutPrefix(rest, "["); ok && c.Func == filter.Equal {
		list, err := criterionNumbers(word, strings.TrimSuffix(in, "]"), unit)
		if err != nil || len(list) != 2 {
			return c, fmt.Errorf("%s=%s: a range needs two numbers: %s=[1,5]", word, rest, word)
		}
		return filter.Criterion{Func: filter.Range, Values: list}, nil
	}
	list, err := criterionNumbers(word, rest, unit)
	if err == nil {
		c.Values = list
		return c, nil
	}
	switch word {
	case "type":
		types, terr := TypesNamed(rest, labels)
		for _, t := range types {
			c.Values = append(c.Values, float64(t))
		}
		return c, terr
	case "value":
		pairs := PairsNamed(rest, labels)
		if pairs == nil {
			return c, fmt.Errorf("unknown event value %q", rest)
		}
		seen := map[int64]bool{}
		for p := range pairs {
			if !seen[p.Value] {
				seen[p.Value] = true
				c.Values = append(c.Values, float64(p.Value))
			}
		}
		return c, nil
	}
	return c, fmt.Errorf("%s: %w", word, err)
}

// criterionNumbers reads the numbers after a word: sizes, and bandwidths in bytes per unit of time, may have units.
func criterionNumbers(word, text string, unit semantic.Unit) ([]float64, error) {
	plain, err := parseNumbers(text)
	if err == nil || word != "size" && word != "bandwidth" {
		return plain, err
	}
	return parseList(text, func(number string) (float64, error) {
		size, perSecond := strings.CutSuffix(number, "/s")
		v, isTime, err := quantity.Amount(size)
		switch {
		case err != nil:
			return 0, err
		case isTime || perSecond && word == "size":
			return 0, fmt.Errorf("%q is no %s", number, word)
		case perSecond:
			v *= float64(semantic.Units[unit].Nanoseconds) / 1e9
		}
		return v, nil
	})
}

// FilterText writes a filter so that parseFilter reads it; "" for the default.
func FilterText(f *filter.Filter) string {
	var words []string
	for _, c := range FilterWords {
		if text := CriterionText(c.Criterion(f)); text != "" {
			words = append(words, c.Word+text)
		}
	}
	for _, flag := range FilterFlags {
		if flag.is(f) {
			words = append(words, flag.Word)
		}
	}
	return strings.Join(words, " ")
}

// CriterionText writes a criterion as parseCriterion reads it; "" for All.
func CriterionText(c *filter.Criterion) string {
	list := timeline.Numbers(c.Values)
	switch c.Func {
	case filter.None:
		return "=none"
	case filter.Equal:
		return "=" + list
	case filter.NotEqual:
		return "!=" + list
	case filter.Greater:
		return ">" + list
	case filter.Less:
		return "<" + list
	case filter.Range:
		return "=[" + list + "]"
	}
	return ""
}
