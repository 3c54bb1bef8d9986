package findings

import (
	"encoding/json"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/render/timeline"
)

// Findings that the user has dismissed are not listed. This is the pane's part of a session.

// subject identifies a finding: for the same run it is the same next time.
type subject struct {
	Rule  report.RuleID `json:"rule"`
	Key   string        `json:"key,omitempty"`
	Phase int           `json:"phase,omitempty"`
}

func subjectOf(f *report.Finding) subject { return subject{f.Rule, f.Key, f.Phase} }

// dismissed are the dismissed findings.
type dismissed struct {
	by      map[*timeline.Trace][]subject
	changes int // number of changes
}

// set notes the dismissed findings of a trace.
func (d *dismissed) set(t *timeline.Trace, list []subject) {
	d.by[t] = list
	d.changes++
}

// without returns a diagnosis without the dismissed findings.
func (d *dismissed) without(t *timeline.Trace, r *diagnose.Result) *diagnose.Result {
	if len(d.by[t]) == 0 {
		return r
	}
	listed := func(list []report.Finding) []report.Finding {
		return slices.DeleteFunc(slices.Clone(list), func(f report.Finding) bool {
			return slices.Contains(d.by[t], subjectOf(&f))
		})
	}
	some := *r
	some.Findings, some.Minor, some.Dismissed = listed(r.Findings), listed(r.Minor), len(d.by[t])
	return &some
}

// savedIn is the part of a session that concerns a trace.
type savedIn struct {
	Trace     int          `json:"trace"`
	Dismissed []subject    `json:"dismissed,omitempty"`
	Stages    *savedStages `json:"stages,omitempty"`
}

// Save writes the dismissed findings, and the shown stages.
func (p *Pane) Save(traces []*timeline.Trace) (json.RawMessage, error) {
	var list []savedIn
	for i, t := range traces {
		if one := (savedIn{i, p.dismissed.by[t], p.stages.saved(t)}); len(one.Dismissed) > 0 || one.Stages != nil {
			list = append(list, one)
		}
	}
	if list == nil {
		return nil, nil
	}
	return json.Marshal(list)
}

// Restore reads them back for a trace.
func (p *Pane) Restore(part json.RawMessage, index int, t *timeline.Trace) tea.Cmd {
	var list []savedIn
	if err := json.Unmarshal(part, &list); err != nil {
		return p.sc.Refuse(fmt.Errorf("the findings of the session cannot be read: %w", err))
	}
	for _, s := range list {
		if s.Trace != index {
			continue
		}
		p.dismissed.set(t, s.Dismissed)
		if s.Stages != nil {
			p.stages.job.Stop()
			p.stages.restore(t, s.Stages)
		}
	}
	return nil
}
