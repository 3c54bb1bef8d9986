package timeline

import (
	"fmt"
	"slices"

	"pview/filter"
	"pview/prv"
	"pview/prv/extrae"
	"pview/semantic"
	"pview/tui/raster"
)

// Choice is a choice of the views menu.
type Choice struct {
	Name, Detail string
	Also         string // what else people may know it by; "" for nothing
	Set          func(*semantic.Window)
}

// Choices lists what a window on a trace can show: the usual first.
func (t *Trace) Choices() []Choice {
	thread := func(name string, params ...[]float64) func(*semantic.Window) {
		return func(w *semantic.Window) {
			level, unit := w.Level, w.Unit
			*w = semantic.ThreadWindow(name, params...)
			w.Level, w.Unit, w.Name = level, unit, ""
		}
	}
	list := []Choice{
		{Name: "State As Is", Detail: "state of every thread", Set: thread("State As Is")},
		{Name: "Useful", Detail: "computation only", Set: thread("Useful")},
	}
	words := extrae.Of(t.Data.Labels)
	for _, g := range []struct {
		name, detail string
		family       extrae.Family
	}{
		{"MPI call", "MPI call under way", extrae.MPI},
		{"User function", "instrumented function of the program", extrae.Functions},
		{"OpenMP construct", "parallel regions and worksharing", extrae.OpenMP},
	} {
		if found, _ := t.Has(words.Family(g.family)...); len(found) > 0 {
			list = append(list, Choice{Name: g.name, Detail: g.detail, Set: LastValue(g.name, found)})
		}
	}
	if t.Data.Comms.Len() > 0 {
		list = append(list, Choice{Name: "Bytes in transit", Detail: "bytes of messages on their way, per sender", Set: thread("Send Bytes in Transit")})
	}
	for _, e := range semantic.Functions(semantic.ThreadFunctions) {
		if e.Name == semantic.UserFunction {
			continue // it is what the expression says: see setFunction
		}
		list = append(list, Choice{Name: e.Name, Detail: e.Doc, Set: thread(e.Name)})
	}
	known := map[string]bool{}
	return slices.DeleteFunc(list, func(v Choice) bool {
		w := semantic.DefaultWindow()
		v.Set(&w)
		_, ok := semantic.Lookup(semantic.ThreadFunctions, w.Functions[prv.LevelThread].Name)
		seen := known[v.Name]
		known[v.Name] = true
		return seen || !ok
	})
}

// AllChoices lists the choices, and then the last value of each event type that occurs.
func (t *Trace) AllChoices() []Choice {
	list := t.Choices()
	for _, c := range t.Types {
		list = append(list, Choice{
			Name:   "Last Evt Val: " + t.TypeLabel(c.Type),
			Also:   fmt.Sprint(c.Type),
			Detail: fmt.Sprintf("%d  %s events", c.Type, raster.FormatCount(c.Count)),
			Set:    LastValue("", []uint32{c.Type}),
		})
	}
	return list
}

// LastValue is the view of the last value of event types.
func LastValue(name string, types []uint32) func(*semantic.Window) {
	return func(w *semantic.Window) {
		level, unit := w.Level, w.Unit
		*w = semantic.ThreadWindow("Last Evt Val")
		w.Level, w.Unit, w.Name, w.Filter = level, unit, name, filter.Only(types...)
	}
}
