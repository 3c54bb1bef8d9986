package filter

import (
	"fmt"
	"strconv"
	"strings"

	"pview/prv"
)

// Describe puts a filter in words: "events of type = 60000019 (User function); logical messages, size > 1000". labels
// may be nil.
func (f *Filter) Describe(labels *prv.Labels) string {
	return f.Events.describe(labels) + "; " + f.Comms.describe()
}

func (f *EventFilter) describe(labels *prv.Labels) string {
	var parts []string
	typ := resolveTypes(f.Type, labels)
	if typ.Func != All {
		parts = append(parts, "type "+typ.describe(func(v float64) string { return typeLabel(labels, v) }))
	}
	if val := resolveValues(f, labels); val.Func != All && len(val.Values) > 0 {
		parts = append(parts, "value "+val.describe(nil))
	}
	if len(parts) == 0 {
		return "all events"
	}
	if f.Or {
		return "events of " + strings.Join(parts, " or ")
	}
	return "events of " + strings.Join(parts, " and ")
}

func typeLabel(labels *prv.Labels, v float64) string {
	if labels == nil {
		return ""
	}
	for i := range labels.Types {
		if float64(labels.Types[i].Type) == v {
			return labels.Types[i].Label
		}
	}
	return ""
}

func (f *CommFilter) describe() string {
	s := ""
	switch {
	case !f.Logical && !f.Physical:
		return "no messages"
	case f.Logical && f.Physical:
		s = "logical and physical messages"
	case f.Logical:
		s = "logical messages"
	default:
		s = "physical messages"
	}
	switch {
	case !f.Intra && !f.Inter:
		return "no messages"
	case !f.Inter:
		s += " within nodes"
	case !f.Intra:
		s += " between nodes"
	}
	s += pair("from", &f.From, "to", &f.To, f.FromToOr)
	s += pair("partner", &f.Partner, "", &Criterion{}, false)
	s += pair("tag", &f.Tag, "size", &f.Size, f.TagSizeOr)
	return s + pair("bandwidth", &f.Bandwidth, "", &Criterion{}, false)
}

func pair(nameA string, a *Criterion, nameB string, b *Criterion, or bool) string {
	var parts []string
	if a.Func != All {
		parts = append(parts, nameA+" "+a.describe(nil))
	}
	if b.Func != All {
		parts = append(parts, nameB+" "+b.describe(nil))
	}
	switch {
	case len(parts) == 0:
		return ""
	case or:
		return ", " + strings.Join(parts, " or ")
	}
	return ", " + strings.Join(parts, " and ")
}

// describe writes a criterion; label, if not nil, names its values.
func (c *Criterion) describe(label func(v float64) string) string {
	if c.Func == None {
		return "none"
	}
	var values []string
	for i, v := range c.Values {
		s := strconv.FormatFloat(v, 'f', -1, 64)
		if i < len(c.Labels) && c.Labels[i] != "" {
			s = strconv.Quote(c.Labels[i])
		} else if label != nil && label(v) != "" {
			s += fmt.Sprintf(" (%s)", label(v))
		}
		values = append(values, s)
	}
	return fmt.Sprintf("%s %s", c.Func, strings.Join(values, ", "))
}
