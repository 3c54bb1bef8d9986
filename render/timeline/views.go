package timeline

import (
	"fmt"
	"slices"
	"strings"

	"pview/filter"
	"pview/prv/quantity"
	"pview/semantic"
	"pview/semantic/ready"
)

// Choice is a choice of the views menu.
type Choice struct {
	Name, Detail string
	Also         string // synonyms; "" for none
	Set          func(*semantic.Window)
	Graph        bool // drawn as a function line
}

// choices lists the possible contents of a window on a trace, starting with the ready views.
func (t *Trace) choices() []Choice {
	var list []Choice
	views := t.Facts().Views()
	for _, v := range views {
		list = append(list, choiceOf(v, views))
	}
	for _, e := range semantic.Functions(semantic.ThreadFunctions) {
		if e.Name == semantic.UserFunction {
			continue // its expression gives its meaning: see setFunction
		}
		list = append(list, Choice{Name: e.Name, Detail: e.Doc, Set: threadFunction(e.Name, views)})
	}
	known := map[string]bool{}
	return slices.DeleteFunc(list, func(v Choice) bool {
		name := strings.ToLower(v.Name)
		seen := known[name]
		known[name] = true
		return seen
	})
}

// choiceOf returns a ready view, one of views, as a choice of the menu.
func choiceOf(v ready.View, views []ready.View) Choice {
	return Choice{Name: v.Name, Detail: v.Doc, Also: strings.Join(v.Aliases, " "), Graph: v.Graph,
		Set: func(w *semantic.Window) {
			before := *w
			*w = v.Window.Clone()
			if v.AnyLevel {
				keepLevel(w, &before, views)
			}
			if _, isFunction := semantic.Lookup(semantic.ThreadFunctions, v.Name); isFunction {
				w.Name = "" // its content names it
			}
		}}
}

// threadFunction returns a function that sets a window's thread function.
func threadFunction(name string, views []ready.View) func(*semantic.Window) {
	return func(w *semantic.Window) {
		before := *w
		*w = semantic.ThreadWindow(name)
		keepLevel(w, &before, views)
		w.Name = ""
	}
}

// keepLevel keeps a window's previous level, which was the user's choice, unless the previous view has its own level,
// such as parallelism, which covers the whole workload.
func keepLevel(w, before *semantic.Window, views []ready.View) {
	if !slices.ContainsFunc(views, func(v ready.View) bool {
		return !v.AnyLevel && v.Name == before.Name && v.Window.Level == before.Level
	}) {
		w.Level, w.Unit = before.Level, before.Unit
	}
}

// ReadyView returns the ready view with the given name, else the first one whose name starts with it; nil if the trace
// does not have it.
func (t *Trace) ReadyView(name string) *Choice {
	views := t.Facts().Views()
	at := slices.IndexFunc(views, func(v ready.View) bool { return v.Name == name })
	if at < 0 {
		at = slices.IndexFunc(views, func(v ready.View) bool { return strings.HasPrefix(v.Name, name) })
	}
	if at < 0 {
		return nil
	}
	c := choiceOf(views[at], views)
	return &c
}

// MissingView explains why the trace lacks a view, or a table in it, by name; "" if no view has the name.
func (t *Trace) MissingView(name string) string { return t.Facts().Missing(name) }

// AllChoices lists the choices, and then the last value of each event type in the trace.
func (t *Trace) AllChoices() []Choice {
	list := t.choices()
	for _, c := range t.Types {
		list = append(list, Choice{
			Name:   "Last Evt Val: " + t.TypeLabel(c.Type),
			Also:   fmt.Sprint(c.Type),
			Detail: fmt.Sprintf("%d  %s", c.Type, quantity.CountOf(c.Count, "event")),
			Set:    LastValue("", []uint32{c.Type}),
		})
	}
	return list
}

// LastValue returns a function that makes a window show the last value of event types.
func LastValue(name string, types []uint32) func(*semantic.Window) {
	return func(w *semantic.Window) {
		level, unit := w.Level, w.Unit
		*w = semantic.ThreadWindow("Last Evt Val")
		w.Level, w.Unit, w.Name, w.Filter = level, unit, name, filter.Only(types...)
	}
}
