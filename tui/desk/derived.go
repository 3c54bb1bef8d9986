package desk

import (
	"fmt"
	"slices"

	"pview/render/timeline"
	"pview/semantic"
)

// Derived windows follow their parents: a derived window holds copies of its parents. If a window changes and no other
// window shows the same as such a copy, the copy changes with it. Undo reverts both in one step.

// follow updates the windows derived from w; before is the window that w showed until now.
func (d *Desk) follow(w *timeline.View, before *semantic.Window) {
	if !slices.ContainsFunc(d.Windows, func(v *timeline.View) bool { return v.Sem.Derived != nil }) {
		return
	}
	old := before.Key()
	if old == w.Sem.Key() || len(d.showing(w.Trace, old)) > 0 {
		return
	}
	now := w.Named()
	for _, v := range d.Windows {
		if v == w || v.Trace != w.Trace || v.Sem.Derived == nil {
			continue
		}
		next := v.Sem.Clone()
		if !replace(&next, old, now) {
			continue
		}
		if _, err := semantic.Compile(v.Trace.Data, &next); err != nil {
			continue // it stays as it was, and its heading no longer names w
		}
		was := v.Setup
		v.Sem = next
		v.Setup.Clamp(v.Trace.Data, d.Whole(v))
		v.History.Record(was, "", d.step)
		v.Paint.Version++
		d.follow(v, &was.Sem)
	}
}

// replace puts a window in place of the parents with a key; it reports whether there are any.
func replace(s *semantic.Window, key string, by *semantic.Window) (any bool) {
	if s.Derived == nil {
		return false
	}
	derived := *s.Derived
	plain := derivedName(&derived) == s.Name
	for _, p := range []*semantic.Parent{&derived.A, &derived.B} {
		switch {
		case p.Window == nil || p.Trace != nil:
		case p.Window.Key() == key:
			p.Window, any = by, true
		default:
			inner := p.Window.Clone()
			if replace(&inner, key, by) {
				p.Window, any = &inner, true
			}
		}
	}
	if any {
		s.Derived = &derived
		if plain {
			s.Name = derivedName(&derived)
		}
	}
	return any
}

// derivedName returns a derived window's name, made from its parents'.
func derivedName(d *semantic.Derived) string {
	if d.A.Window == nil || d.B.Window == nil {
		return ""
	}
	return fmt.Sprintf("%s %s %s", d.A.Window.Name, d.Op.Name, d.B.Window.Name)
}

// showing lists the windows on a trace whose content has a key.
func (d *Desk) showing(t *timeline.Trace, key string) (list []*timeline.View) {
	for _, v := range d.Windows {
		if v.Trace == t && v.Sem.Key() == key {
			list = append(list, v)
		}
	}
	return list
}

// Parents returns the numbers, from 1, of the windows that a derived window follows.
func (d *Desk) Parents(w *timeline.View) (list []int) {
	if w.Sem.Derived == nil {
		return nil
	}
	for _, p := range []*semantic.Parent{&w.Sem.Derived.A, &w.Sem.Derived.B} {
		if p.Window == nil || p.Trace != nil {
			continue
		}
		key := p.Window.Key()
		for i, v := range d.Windows {
			if v != w && v.Trace == w.Trace && v.Sem.Key() == key {
				list = append(list, i+1)
				break
			}
		}
	}
	return list
}
