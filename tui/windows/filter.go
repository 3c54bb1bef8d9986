package windows

import (
	"fmt"
	"pview/filter"
	"pview/prv"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/notation"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// extraFilter returns a window's filter without the event types that define its view.
func extraFilter(w *timeline.View) *filter.Filter {
	f := w.Sem.Filter.Clone()
	if showsTypes(w) {
		f.Events.Type = filter.Criterion{}
	}
	return &f
}

// showsTypes reports whether a window shows the values of certain event types: other types would make another view.
func showsTypes(w *timeline.View) bool {
	return len(timeline.ListedTypes(&w.Sem.Filter)) > 0 && w.Trace.Meaning(&w.Sem) == semantic.EventValues
}

// filterPrompt names the event types that always remain.
func (c *Content) filterPrompt() (label, hint string) {
	if w := c.Focused(); showsTypes(w) {
		return "", "CRITERIA, such as value>0 size>1000, on top of the event types of " + w.Title()
	}
	return "", "CRITERIA, such as 1ms for bursts longer than 1 ms, duration<5us, type=40 value>0, size>64KiB"
}

// FilterText writes a window's filter as setFilter reads it: criteria of records and conditions on bursts.
func FilterText(w *timeline.View) string {
	return strings.TrimSpace(notation.FilterText(extraFilter(w)) + " " + notation.ConditionText(w.Sem.Condition()))
}

// filtered returns a window with a filter.
func (c *Content) filtered(w *timeline.View, text string) (next semantic.Window, err error) {
	next = w.Sem.Clone()
	condition, criteria, err := notation.CutConditions(text)
	if err != nil {
		return next, err
	}
	f, err := notation.ParseFilter(criteria, w.Trace.Data.Labels, w.Sem.Unit)
	if err != nil {
		return next, err
	}
	if showsTypes(w) { // a filter leaves some of them; E and v show others
		if f.Events.Type, err = c.narrowed(w, &f); err != nil {
			return next, err
		}
	}
	if w.Trace.Meaning(&next) == semantic.EventValues && !f.Events.Equal(&next.Filter.Events) {
		next.Name = "" // a preset's name no longer fits
	}
	next.Filter = f
	return next, next.SetCondition(condition)
}

// setFilter sets the filter of the window in focus.
func (c *Content) setFilter(text string) tea.Cmd {
	w := c.Focused()
	next, err := c.filtered(w, text)
	if err != nil {
		return c.sc.Refuse(err)
	}
	return c.setSemantic(w, func(s *semantic.Window) { *s = next })
}

// trial is a filter being typed: the window already shows it.
type trial struct {
	view   *timeline.View
	before semantic.Window
}

// tryFilter previews a filter being typed in the window in focus; an invalid one changes nothing.
func (c *Content) tryFilter(text string) {
	c.dropTried()
	w := c.Focused()
	next, err := c.filtered(w, text)
	if _, wrong := semantic.Compile(w.Trace.Data, &next); err != nil || wrong != nil || next.Equal(&w.Sem) {
		return
	}
	c.tried = &trial{w, w.Sem}
	w.Sem = next
	w.Paint.Version++
}

// dropTried restores the window's content before the preview.
func (c *Content) dropTried() {
	if c.tried != nil {
		c.tried.view.Sem = c.tried.before
		c.tried.view.Paint.Version++
		c.tried = nil
	}
}

// narrowed returns the event types of a window that pass a filter.
func (c *Content) narrowed(w *timeline.View, f *filter.Filter) (filter.Criterion, error) {
	own := w.Sem.Filter.Events.Type
	if f.Events.Type.Func == filter.All {
		return own, nil
	}
	types := filter.Filter{Events: filter.EventFilter{Type: f.Events.Type}}
	pass := types.Compile(w.Trace.Data, prv.LevelThread, 1)
	left := slices.DeleteFunc(timeline.ListedTypes(&w.Sem.Filter), func(t uint32) bool {
		return !pass.Events.Has(t, 0)
	})
	if len(left) == 0 {
		return own, fmt.Errorf("%s has none of these event types: %s shows others", w.Title(), c.sc.KeysOf("event"))
	}
	return filter.Only(left...).Events.Type, nil
}

func (c *Content) completeFilter(args string) []string {
	w := c.Focused()
	if w == nil {
		return nil
	}
	cut := strings.LastIndexByte(args, ' ') + 1
	head, word := args[:cut], args[cut:]
	for _, c := range notation.FilterWords {
		if strings.HasPrefix(word, c.Word+"=") && (c.Word == "type" || c.Word == "value") {
			return completeQuery(args, w.Trace.Data.Labels)
		}
	}
	var names []string
	for _, c := range notation.FilterWords {
		if strings.HasPrefix(c.Word, word) {
			names = append(names, head+c.Word+"=")
		}
	}
	if strings.HasPrefix(notation.DurationWord, word) {
		names = append(names, head+notation.DurationWord+">")
	}
	for _, f := range notation.FilterFlags {
		if strings.HasPrefix(f.Word, word) {
			names = append(names, head+f.Word)
		}
	}
	return names
}
