package timeline

import (
	"context"

	"pview/semantic"
	"pview/semantic/series"
)

// shown returns the values on the screen: the newest values known for each row.
func (v *Values) shown() []*series.Series {
	for o, s := range v.Before {
		if o < len(v.Series) && v.Series[o] == nil {
			v.Series[o] = s
		}
	}
	return v.Series
}

func cancelled(ctx context.Context) bool { return ctx.Err() != nil }

// CallText returns a call as users type it; "" for functions with a name.
func CallText(c semantic.Call) string {
	if !c.IsUser() {
		return ""
	}
	return "= " + c.Expression
}

// CallName returns a function's name, or its expression.
func CallName(c semantic.Call) string {
	if c.IsUser() && c.Expression != "" {
		return CallText(c)
	}
	return c.Name
}
