package findings

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/pane"
)

// Findings that are not listed: those that the user has dismissed, and those that a filter leaves out. What a session
// keeps of the pane.

// subject is what a finding is about: that of the same run is the same the next time.
type subject struct {
	Rule  report.RuleID `json:"rule"`
	Key   string        `json:"key,omitempty"`
	Phase int           `json:"phase,omitempty"`
}

func subjectOf(f *report.Finding) subject { return subject{f.Rule, f.Key, f.Phase} }

// listed are the findings that are neither dismissed nor left out.
func (p *Pane) listed(t *timeline.Trace, list []report.Finding) []report.Finding {
	return slices.DeleteFunc(p.kept(t, list), func(f report.Finding) bool { return !p.passes(&f) })
}

// kept are the findings that are not dismissed.
func (p *Pane) kept(t *timeline.Trace, list []report.Finding) []report.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f report.Finding) bool {
		return slices.Contains(p.dismissed[t], subjectOf(&f))
	})
}

// passes reports whether a finding, or one below it, has the text of the filter, or is of the rule of that name.
func (p *Pane) passes(f *report.Finding) bool {
	return p.hasText(f) || slices.ContainsFunc(f.Children, func(c report.Finding) bool { return p.hasText(&c) })
}

func (p *Pane) hasText(f *report.Finding) bool {
	text := strings.ToLower(p.filter)
	return text == "" || strings.EqualFold(string(f.Rule), text) || strings.EqualFold(f.Name, text) ||
		strings.Contains(strings.ToLower(f.Title), text) || strings.Contains(strings.ToLower(f.Advice), text)
}

func (p *Pane) dismiss(string) tea.Cmd {
	f, t := p.chosen(), p.sc.View.Trace
	if f == nil || p.classes.shown {
		return p.sc.Refuse(errors.New("no finding"))
	}
	p.dismissed[t] = append(p.dismissed[t], subjectOf(f))
	p.relist(t)
	p.sc.Say(string(f.Rule) + " dismissed; " + p.sc.KeysOf("all-findings") + " lists it again")
	return nil
}

func (p *Pane) recall(string) tea.Cmd {
	t := p.sc.View.Trace
	n := len(p.dismissed[t])
	if n == 0 {
		return p.sc.Refuse(errors.New("no finding is dismissed"))
	}
	delete(p.dismissed, t)
	p.relist(t)
	p.sc.Say(raster.CountOf(n, "finding") + " listed again")
	return nil
}

// askFilter asks for the text, or takes the one of the command.
func (p *Pane) askFilter(text string) tea.Cmd {
	if text == "" {
		p.sc.Do(pane.Prompt{Action: "filter-findings"})
		return nil
	}
	return p.filterBy(text)
}

// filterBy lists the findings with a text.
func (p *Pane) filterBy(text string) tea.Cmd {
	p.filter = strings.TrimSpace(text)
	p.stopClasses()
	p.stopStages()
	p.classes.shown, p.stages.shown = false, false
	if p.sc.View != nil {
		p.relist(p.sc.View.Trace)
	}
	return nil
}

// relist brings the list, and the sentence on the first screen, up to date.
func (p *Pane) relist(t *timeline.Trace) {
	o, ok := p.known[t]
	if !ok || o.result == nil {
		return
	}
	p.list(t, &o)
	p.known[t] = o
	p.choose(min(p.at, max(len(p.findings())-1, 0)))
}

// list fills in what follows from a diagnosis.
func (p *Pane) list(t *timeline.Trace, o *outcome) {
	o.list = p.listed(t, o.result.Findings)
	o.major = len(o.list)
	o.list = append(o.list, p.listed(t, o.result.Minor)...)
	if t.Summary != nil {
		o.lines = diagnose.Headline(t.Summary, t.Data, p.kept(t, o.result.Findings), o.result.Length)
	}
}

// savedIn is what a session keeps of a trace.
type savedIn struct {
	Trace     int          `json:"trace"`
	Dismissed []subject    `json:"dismissed,omitempty"`
	Stages    *savedStages `json:"stages,omitempty"`
}

// Save writes the dismissed findings, and the stages that are shown.
func (p *Pane) Save(traces []*timeline.Trace) (json.RawMessage, error) {
	var list []savedIn
	for i, t := range traces {
		if one := (savedIn{i, p.dismissed[t], p.stages.saved(t)}); len(one.Dismissed) > 0 || one.Stages != nil {
			list = append(list, one)
		}
	}
	if list == nil {
		return nil, nil
	}
	return json.Marshal(list)
}

// Restore takes back those of a trace.
func (p *Pane) Restore(part json.RawMessage, index int, t *timeline.Trace) tea.Cmd {
	var list []savedIn
	if err := json.Unmarshal(part, &list); err != nil {
		return p.sc.Refuse(fmt.Errorf("the findings of the session cannot be read: %w", err))
	}
	for _, s := range list {
		if s.Trace != index {
			continue
		}
		p.dismissed[t] = s.Dismissed
		if s.Stages != nil {
			p.stopStages()
			p.stages.restore(t, s.Stages)
		}
		p.relist(t)
	}
	return nil
}
