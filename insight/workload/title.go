package workload

// Names of parameters and their values for people.

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

// Kind returns the kind of the values of a column; nil if they have no unit.
func (c *Column) Kind() *quantity.Kind {
	switch c.Unit {
	case "ns":
		return quantity.Time
	case "B":
		return quantity.Bytes
	}
	return nil
}

// show writes a value of the column.
func (c *Column) show(x float64) string {
	kind := c.Kind()
	switch {
	case math.IsNaN(x):
		return "-"
	case kind != nil:
		return kind.Round(x, 4)
	}
	return report.ShowDigits(x)
}

// Title names a parameter for people: one based on events by the first words of their labels; instructions and cycles
// have special names.
func (r *Result) Title(name string) string { return cmp.Or(r.labelOf(name), name) }

// labelOf returns the Title of a parameter of events; "" for others.
func (r *Result) labelOf(name string) string {
	if r.Set.Trace == nil || r.Set.Column(name).Unit != "" {
		return ""
	}
	labels := r.Set.Trace.Labels
	var types []uint32
	var words []string
	for _, part := range strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune("+-*/", c) }) {
		typ, word, ok := eventOf(labels, strings.TrimSuffix(strings.TrimPrefix(part, "total("), ")"))
		if !ok {
			return ""
		}
		types, words = append(types, typ), append(words, word)
	}
	known := extrae.Of(labels)
	instructions, _ := known.Type(extrae.Instructions)
	cycles, _ := known.Type(extrae.Cycles)
	switch {
	case len(types) == 2 && strings.Contains(name, "/") && types[0] == instructions && types[1] == cycles:
		return "IPC"
	case len(types) == 1 && types[0] == instructions:
		return "instructions"
	case len(types) == 2:
		return words[0] + name[strings.IndexAny(name, "+-*/"):][:1] + words[1]
	}
	return strings.Join(words, "")
}

// eventOf returns an event type by its number, or by the first word of its label.
func eventOf(labels *prv.Labels, text string) (typ uint32, word string, ok bool) {
	number, err := strconv.ParseUint(text, 10, 32)
	for i := range labels.Types {
		e := &labels.Types[i]
		if word, _, _ := strings.Cut(e.Label, " "); err == nil && e.Type == uint32(number) || err != nil &&
			word == text {
			return e.Type, word, true
		}
	}
	return uint32(number), text, err == nil
}

// numbers matches the numbers of event types: people read their labels.
var numbers = regexp.MustCompile(`\b\d{5,}\b`)

// ParametersText lists parameters as typed, with the labels of events in place of their numbers.
func ParametersText(list []Parameter, labels *prv.Labels) string {
	var texts []string
	for _, p := range list {
		texts = append(texts, p.String())
	}
	text := strings.Join(texts, ", ")
	if labels == nil {
		return text
	}
	return numbers.ReplaceAllStringFunc(text, func(number string) string {
		_, word, _ := eventOf(labels, number)
		return word
	})
}

// labels returns the labels of the set's trace; nil if none.
func (s *Set) labels() *prv.Labels {
	if s.Trace == nil {
		return nil
	}
	return s.Trace.Labels
}

// About lists the place, the class and the values of component i.
func (r *Result) About(i int) report.Pairs {
	list := report.Pairs{{"chosen", r.Set.Place(i)}, {"", ClassName(r.Class[i])}}
	for j := range r.Set.Columns {
		if c := &r.Set.Columns[j]; !math.IsNaN(c.Values[i]) {
			list = append(list, [2]string{r.Title(c.Name), c.show(c.Values[i])})
		}
	}
	return list
}

// AboutClass lists the figures of a class, by its line in the table of clusters.
func (r *Result) AboutClass(line int) report.Pairs { return r.clusters().Pairs(line)[1:] }

// Place says where component i is, in a few words.
func (s *Set) Place(i int) string {
	if s.Begin == nil || s.Names != nil || s.Thread[i] < 0 {
		return s.Name(i)
	}
	return report.ObjectID(s.Trace, prv.LevelThread, int(s.Thread[i])) + " at " +
		quantity.FormatTime(s.Begin[i], s.Trace.Unit, max(1, (s.End[i]-s.Begin[i])/10))
}
