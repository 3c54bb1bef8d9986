package notes

import (
	"encoding/json"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
)

// Notes in a session: those of all traces in one list.

type savedNote struct {
	Trace  int    `json:"trace"`
	Time   int64  `json:"time"` // in the trace's unit
	Level  string `json:"level"`
	Object int    `json:"object"` // 1-based
	Text   string `json:"text"`
}

// Save writes the notes.
func (p *Pane) Save(traces []*timeline.Trace) (json.RawMessage, error) {
	var list []savedNote
	for i, t := range traces {
		for _, n := range p.notes[t] {
			list = append(list, savedNote{i, n.time, n.level.String(), n.object + 1, n.text})
		}
	}
	if list == nil {
		return nil, nil
	}
	return json.Marshal(list)
}

// Restore reads back the notes of a trace. It skips and reports notes that have no place in the trace.
func (p *Pane) Restore(part json.RawMessage, index int, t *timeline.Trace) tea.Cmd {
	var list []savedNote
	if err := json.Unmarshal(part, &list); err != nil {
		return p.sc.Refuse(fmt.Errorf("the notes of the session cannot be read: %w", err))
	}
	lost := 0
	for _, s := range list {
		if s.Trace != index {
			continue
		}
		level := slices.IndexFunc(prv.Levels, func(l prv.Level) bool { return l.String() == s.Level })
		if level < 0 || s.Object < 1 || s.Object > t.Data.Count(prv.Levels[level]) || s.Time < 0 ||
			s.Time > t.Data.Duration {
			lost++
			continue
		}
		p.put(t, note{s.Time, prv.Levels[level], s.Object - 1, prv.Clean(s.Text)})
	}
	if lost > 0 {
		p.sc.Alarm(fmt.Sprintf("%s of the session: %s has no such time or object", raster.CountOf(lost, "note"),
			t.Name))
	}
	return nil
}
