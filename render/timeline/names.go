package timeline

import (
	"context"

	"pview/semantic"
	"pview/semantic/series"
)

// shown returns the values that are on the screen: of each row the newest that are known.
func (v *Values) shown() []*series.Series {
	for o, s := range v.Before {
		if o < len(v.Series) && v.Series[o] == nil {
			v.Series[o] = s
		}
	}
	return v.Series
}

func cancelled(ctx context.Context) bool { return ctx.Err() != nil }

// CallText is a call as people type it, for who wants to change it; "" for functions
// that have a name.
func CallText(c semantic.Call) string {
	if !c.IsUser() {
		return ""
	}
	return "= " + c.Expression
}

// CallName is what a window says of a function: its name, or its expression.
func CallName(c semantic.Call) string {
	if c.IsUser() && c.Expression != "" {
		return CallText(c)
	}
	return c.Name
}
