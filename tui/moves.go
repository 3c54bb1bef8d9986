package tui

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/tui/action"
	"pview/tui/list"
	"pview/tui/pane"
	"pview/tui/pane/analyzer"
	"pview/tui/pane/compare"
	"pview/tui/pane/efficiency"
	"pview/tui/pane/findings"
	"pview/tui/pane/frameworks"
	"pview/tui/pane/network"
	"pview/tui/pane/notes"
	"pview/tui/pane/profile"
	"pview/tui/pane/simulator"
	"pview/tui/pane/study"
	"pview/tui/pane/whatwhere"
	"pview/tui/pane/workload"
)

// The verbs of lists, registered once for all panes.

const groupLists = "Lists and pages of panes"

// verbActions returns the actions of the verbs that panes have, with their keys in each pane. own are the panes'
// actions, which lose the keys that the user chose for verbs.
func verbActions(m *Model, own []action.Action) []action.Action {
	verbs := make([]action.Action, list.NumVerbs)
	for v := range list.NumVerbs {
		e := &list.Verbs[v]
		verbs[v] = action.Action{Name: e.Name, Group: groupLists, Keys: e.Keys, Args: e.Args, Doc: e.Doc,
			Panes: map[string][]string{}, Run: func(args string) tea.Cmd {
				if f := m.panes.moves[m.panes.current().Title()][v]; f != nil && m.panes.open {
					return f(args)
				}
				m.scene.Say("no pane is open in which to " + e.Doc)
				return nil
			}}
		if v == list.NextPage {
			verbs[v].Complete = func(string) []string { return m.panes.pageNames() }
		}
		if keys, ok := m.options.Keys[e.Name]; ok {
			verbs[v].Keys = keys
		}
	}
	for _, p := range m.panes.list {
		mover, ok := p.(pane.Mover)
		if !ok {
			continue
		}
		title, has := p.Title(), mover.Moves()
		if has[list.Leave] == nil {
			has[list.Leave] = list.Do(func() { m.scene.StopOrLeave(p) })
		}
		if has[list.Copy] == nil {
			has[list.Copy] = func(string) tea.Cmd { return m.copyPane(p) }
		}
		m.panes.moves[title] = has
		can := maps.Clone(has)
		if p != m.panes.list[0] {
			can[list.NextPage], can[list.PreviousPage] = m.turnPage(1), m.turnPage(-1)
		}
		for v, keys := range verbKeys(title, can, m.options.Keys, own) {
			verbs[v].Panes[title] = keys
		}
	}
	verbs[list.NextPage].Run, verbs[list.PreviousPage].Run = m.turnPage(1), m.turnPage(-1)
	inNone := func(a action.Action) bool { return len(a.Panes) == 0 }
	const move = "move"
	going := slices.DeleteFunc(slices.Clone(verbs[:list.Narrow]), inNone)
	for i := range going {
		going[i].Name = strings.TrimPrefix(going[i].Name, move+" ")
	}
	back := verbs[list.PreviousPage]
	back.Name = strings.TrimPrefix(back.Name, verbs[list.NextPage].Name+" ")
	return action.Expand([]action.Action{
		action.Action{Name: move, Group: groupLists, Doc: "move in the list, table or form of the pane"}.With(going...),
		verbs[list.Narrow], verbs[list.Copy], verbs[list.NextPage].With(back), verbs[list.Leave],
	})
}

// copyPane copies the text of a pane as drawn, without its heading.
func (m *Model) copyPane(p pane.Pane) tea.Cmd {
	r := m.scene.Region
	c := raster.NewCanvas(r.W, r.H)
	p.Draw(c)
	return m.scene.Copy("the page", c.Sub(0, 1, c.W, c.H-1).Plain())
}

// verbKeys returns the keys of the verbs in a pane: those that its own actions do not use. A key that the user chose
// for a verb has no other meaning there.
func verbKeys(title string, has list.Moves, chosen map[string][]string, own []action.Action) map[list.Verb][]string {
	keys, picked, taken := map[list.Verb][]string{}, map[list.Verb]bool{}, []string{}
	former := formerMoves[title]
	for v := range has {
		keys[v] = slices.Concat(list.Verbs[v].Keys, former.keys[v])
		for _, name := range []string{list.Verbs[v].Name, former.names[v]} {
			if k, ok := chosen[name]; ok {
				keys[v], picked[v] = k, true
			}
		}
		if picked[v] {
			taken = append(taken, keys[v]...)
		}
	}
	without := func(list, others []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(k string) bool { return slices.Contains(others, k) })
	}
	for a := range action.Each(own) {
		if a.InPane && a.Group == title {
			if chosen[a.Name] == nil {
				a.Keys = without(a.Keys, taken)
			}
			taken = slices.Concat(taken, a.Keys)
		}
	}
	for v := range has {
		if !picked[v] {
			keys[v] = without(keys[v], taken)
		}
	}
	for first, column := range map[list.Verb]list.Verb{list.First: list.FirstColumn, list.Last: list.LastColumn} {
		keys[first] = without(keys[first], keys[column])
	}
	return keys
}

// formerMoves has the names that verbs had in each pane before all panes shared them, and each pane's additional keys.
// The names stay aliases in the palette and in the configuration file.
var formerMoves = map[string]struct {
	names map[list.Verb]string
	keys  map[list.Verb][]string
}{
	notes.Title: {names: map[list.Verb]string{
		list.Up: "note-up", list.Down: "note-down", list.PageUp: "notes-page-up", list.PageDown: "notes-page-down",
		list.First: "first-note", list.Last: "last-note", list.Leave: "notes-leave",
	}},
	analyzer.Title: {names: map[list.Verb]string{
		list.Up: "cell-up", list.Down: "cell-down", list.Left: "cell-left", list.Right: "cell-right",
		list.PageUp: "cells-up", list.PageDown: "cells-down", list.PageLeft: "cells-left",
		list.PageRight: "cells-right", list.First: "first-cell-row", list.Last: "last-cell-row",
		list.FirstColumn: "first-column", list.LastColumn: "last-column", list.Leave: "table-leave",
		list.Copy: "copy-table",
	}},
	compare.Title: {names: map[list.Verb]string{
		list.Up: "part-up", list.Down: "part-down", list.PageUp: "parts-page-up", list.PageDown: "parts-page-down",
		list.First: "first-part", list.Last: "last-part", list.Left: "parts-left", list.Right: "parts-right",
		list.Leave: "compare-leave",
	}},
	efficiency.Title: {names: map[list.Verb]string{
		list.Up: "factor-up", list.Down: "factor-down", list.PageUp: "factors-up", list.PageDown: "factors-down",
		list.First: "first-factor", list.Last: "last-factor", list.Left: "run-left", list.Right: "run-right",
		list.Leave: "efficiency-leave",
	}},
	findings.Title: {names: map[list.Verb]string{
		list.Up: "finding-up", list.Down: "finding-down", list.PageUp: "findings-page-up",
		list.PageDown: "findings-page-down", list.First: "first-finding", list.Last: "last-finding",
		list.Left: "stage-left", list.Right: "stage-right", list.NextPage: "stages-page",
		list.PreviousPage: "stages-page-back", list.Leave: "findings-leave", list.Narrow: "filter-findings",
	}, keys: map[list.Verb][]string{list.Narrow: {"f"}}},
	frameworks.Title: {names: map[list.Verb]string{
		list.Up: "framework-up", list.Down: "framework-down", list.PageUp: "framework-page-up",
		list.PageDown: "framework-page-down", list.Left: "framework-left", list.Right: "framework-right",
		list.Leave: "framework-leave",
	}},
	workload.Title: {names: map[list.Verb]string{
		list.Up: "workload-up", list.Down: "workload-down", list.PageUp: "workload-page-up",
		list.PageDown: "workload-page-down", list.First: "workload-first", list.Last: "workload-last",
		list.Left: "workload-left", list.Right: "workload-right", list.NextPage: "workload-page",
		list.PreviousPage: "workload-page-back", list.Leave: "workload-leave",
	}, keys: viKeys},
	network.Title: {names: map[list.Verb]string{
		list.Up: "network-up", list.Down: "network-down", list.Left: "network-left", list.Right: "network-right",
		list.NextPage: "network-page", list.PreviousPage: "network-page-back", list.Leave: "network-leave",
	}},
	profile.Title: {names: map[list.Verb]string{
		list.Up: "profile-up", list.Down: "profile-down", list.Left: "profile-left", list.Right: "profile-right",
		list.First: "profile-first", list.Last: "profile-last", list.Leave: "profile-leave",
	}},
	simulator.Title: {names: map[list.Verb]string{
		list.Up: "field-up", list.Down: "field-down", list.Left: "field-left", list.Right: "field-right",
		list.PageUp: "field-page-up", list.PageDown: "field-page-down", list.First: "field-first",
		list.Last: "field-last", list.NextPage: "sim-page", list.PreviousPage: "sim-page-back",
		list.Leave: "sim-leave",
	}, keys: viKeys},
	study.Title: {names: map[list.Verb]string{
		list.Up: "study-up", list.Down: "study-down", list.Left: "study-left", list.Right: "study-right",
		list.PageUp: "study-page-up", list.PageDown: "study-page-down", list.First: "study-first",
		list.Last: "study-last", list.NextPage: "study-page", list.PreviousPage: "study-page-back",
		list.Leave: "study-leave",
	}, keys: viKeys},
	whatwhere.Title: {names: map[list.Verb]string{
		list.Up: "what-up", list.Down: "what-down", list.PageUp: "what-page-up", list.PageDown: "what-page-down",
		list.Leave: "what-leave",
	}},
}

// viKeys are vi's keys in forms, which do not use the windows' actions on these keys.
var viKeys = map[list.Verb][]string{list.First: {"g"}, list.Last: {"G"}}

// FormerNames returns the former names of actions, and the present ones.
func FormerNames() map[string]string {
	names := action.FormerNames()
	for _, former := range formerMoves {
		for v, name := range former.names {
			names[name] = list.Verbs[v].Name
		}
	}
	return names
}
