// Functions that Paraver does not have: user functions, and pview's own. So that Paraver opens the file, it names the
// function of a new window in their place; the real one is in a key that Paraver ignores:
//
//	pview_user_function thread "state == 1 && value > 0"
//	pview_user_function compose_task "value / n"
//	pview_user_function extratopcompose1 2 "value * 2"
//	pview_function thread "Wait State"
//
// The number is the place among several extra composes, from 1.

package cfg

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/semantic"
)

// userLine is a line with an expression. It overrides the function named at its place, before or after it.
type userLine struct {
	line       int64
	kept       Line
	place      string
	number     int // of an extra compose, from 1; else 0
	expression string
}

const userKey = "pview_user_function"

// readUser takes "place [number] expression", the expression in Go's quotes or without.
func readUser(r *reader, _ *Window, text string) error {
	u := userLine{line: r.number, kept: Line{userKey, text}}
	var rest string
	u.place, rest, _ = strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if u.place == extraPlace {
		var number string
		number, rest, _ = strings.Cut(rest, " ")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not the number of an extra compose", number)
		}
		u.number, rest = n, strings.TrimSpace(rest)
	}
	u.expression = rest
	if strings.HasPrefix(rest, `"`) {
		if s, err := strconv.Unquote(rest); err == nil {
			u.expression = s
		}
	}
	r.pending.users = append(r.pending.users, u)
	return nil
}

const extraPlace = "extratopcompose1"

// userFunctions puts the expressions of a window in place.
func (d *draft) userFunctions(r *reader, w *Window) error {
	for _, u := range d.users {
		places := slices.Concat(functionPlaces(w), composePlaces(w))
		places = slices.DeleteFunc(places, func(p place) bool { return p.name != u.place })
		i := max(0, u.number-1)
		if i >= len(places) {
			r.note("%s: the window has no position %q; line preserved", userKey, u.place)
			w.Other = append(w.Other, u.kept)
			continue
		}
		call, err := semantic.UserCall(places[i].family, u.expression)
		if err != nil {
			return r.fail(u.line, fmt.Errorf("%s: %w", userKey, err))
		}
		*places[i].call = call
	}
	return nil
}

// writeUsers writes the expressions of a window.
func writeUsers(_ *writer, w *Window) (list []string) {
	extra := 0
	for _, p := range slices.Concat(functionPlaces(w), composePlaces(w)) {
		name := p.name
		if name == extraPlace {
			extra++
			name += " " + strconv.Itoa(extra)
		}
		if p.call.IsUser() {
			list = append(list, name+" "+strconv.Quote(p.call.Expression))
		}
	}
	return list
}

// ownLine is a line that names a function of pview's own. It overrides the function named at its place.
type ownLine struct{ place, name string }

const ownKey = "pview_function"

// readOwn takes the place and the name, in Go's quotes or without.
func readOwn(r *reader, _ *Window, text string) error {
	place, name, _ := strings.Cut(text, " ")
	name = strings.TrimSpace(name)
	if s, err := strconv.Unquote(name); err == nil {
		name = s
	}
	r.pending.own = append(r.pending.own, ownLine{place, name})
	return nil
}

// ownFunctions puts pview's own functions of a window in place. For one that this version of pview does not have, the
// stand-in stays.
func (d *draft) ownFunctions(r *reader, w *Window) error {
	for _, o := range d.own {
		places := functionPlaces(w)
		i := slices.IndexFunc(places, func(p place) bool { return p.name == o.place })
		if i < 0 {
			r.note("%s: the window has no position %q", ownKey, o.place)
			continue
		}
		call, err := r.lookup(places[i].family, o.name)
		if err != nil {
			r.note("%s: %v; %s is used", ownKey, err, places[i].call.Name)
			continue
		}
		*places[i].call = call
	}
	return nil
}

// writeOwn writes pview's own functions of a window.
func writeOwn(_ *writer, w *Window) (list []string) {
	for _, p := range functionPlaces(w) {
		if p.isOwn() {
			list = append(list, p.name+" "+strconv.Quote(p.call.Name))
		}
	}
	return list
}

// isOwn reports whether a place has a function that only pview has.
func (p *place) isOwn() bool {
	e, ok := semantic.Lookup(p.family, p.call.Name)
	return ok && e.Own
}

// StandIn is a function that Paraver does not have, and the one that Paraver shows instead.
type StandIn struct{ Window, Function, By string }

// StandIns returns the stand-ins of a file.
func StandIns(f *File) (list []StandIn) {
	for _, w := range f.Windows {
		for _, p := range slices.Concat(functionPlaces(w), composePlaces(w)) {
			if p.isOwn() || p.call.IsUser() {
				list = append(list, StandIn{w.Name, p.call.Name, p.standIn()})
			}
		}
	}
	return list
}

// standIn returns the function that a new window has in a place.
func (p *place) standIn() string {
	if p.family == semantic.ComposeFunctions {
		return "As Is"
	}
	l, _ := level(p.name)
	return semantic.DefaultFunctions()[l].Name
}
