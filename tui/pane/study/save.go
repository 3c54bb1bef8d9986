package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report/figure"
	"pview/prv"
	"pview/render/document"
	"pview/render/timeline"
	"pview/sim/study"
	"pview/tui/paths"
)

// save writes the table, a line per run, in full precision.
func (p *Pane) save(args string) tea.Cmd {
	return p.onTable(func(s *session) tea.Cmd {
		if args == "" {
			return p.sc.Ask("study save")
		}
		path := paths.Typed(args)
		comma := ','
		switch filepath.Ext(path) {
		case ".tsv":
			comma = '\t'
		case ".csv":
		default:
			return p.sc.Refuse(errors.New("the table of a study is written as .csv or .tsv"))
		}
		plan, rows := s.plan, s.table.Rows
		return p.sc.Write(path, func() error {
			return prv.SaveFile(path, func(w io.Writer) error { return writeTable(w, comma, plan, rows) })
		})
	})("")
}

func writeTable(w io.Writer, comma rune, plan *study.Plan, rows []study.Row) error {
	head := []string{"index", "seed"}
	for _, c := range slices.Concat(plan.Inputs, plan.Outputs) {
		head = append(head, c.Name)
	}
	lines := [][]string{append(head, "status", "reason")}
	for i := range rows {
		r := &rows[i]
		line := []string{strconv.Itoa(r.Index), strconv.FormatUint(r.Seed, 10)}
		for k := range plan.Inputs {
			line = append(line, plan.Inputs[k].Text(r.Inputs[k]))
		}
		for k := range plan.Outputs {
			text := ""
			if r.Status == study.Done && !math.IsNaN(r.Outputs[k]) {
				text = plan.Outputs[k].Text(r.Outputs[k])
			}
			line = append(line, text)
		}
		lines = append(lines, append(line, r.Status.String(), r.Reason))
	}
	return document.WriteLines(w, comma, lines)
}

// savePlot writes the plots of the chosen columns, one below the other.
func (p *Pane) savePlot(args string) tea.Cmd {
	return p.onTable(func(s *session) tea.Cmd {
		var figures []*figure.Figure
		for i := range pages {
			if pages[i].figure != nil {
				figures = append(figures, pages[i].figure(s))
			}
		}
		return p.sc.WriteFigures("study plot", args, "Study of "+s.measured.Name, strings.Join(s.def.Variables, "  "),
			func() []*figure.Figure { return figures })
	})("")
}

// savedStudy is the study of a trace in a session: its definition. Its store, if any, keeps the runs.
type savedStudy struct {
	Trace int `json:"trace"`
	definition
}

// Save writes the definitions.
func (p *Pane) Save(traces []*timeline.Trace) (json.RawMessage, error) {
	var list []savedStudy
	for i, t := range traces {
		if s := p.studies[t]; s != nil && len(s.def.Variables) > 0 {
			list = append(list, savedStudy{i, s.def})
		}
	}
	if list == nil {
		return nil, nil
	}
	return json.Marshal(list)
}

// Restore takes the definition of a trace. Errors in it are reported when the study is started.
func (p *Pane) Restore(part json.RawMessage, index int, t *timeline.Trace) tea.Cmd {
	var list []savedStudy
	if err := json.Unmarshal(part, &list); err != nil {
		return p.sc.Refuse(fmt.Errorf("the studies of the session cannot be read: %w", err))
	}
	for _, d := range list {
		if d.Trace == index && study.CheckRuns(d.Runs) == nil {
			p.studies[t] = newSession(t, d.definition)
		}
	}
	return nil
}
