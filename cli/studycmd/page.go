package studycmd

// The plots of a study, as a picture, and its page, with the settings behind it.

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/report"
	"pview/insight/studies"
	"pview/insight/validation"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/render/picture"
	"pview/sim/parameter"
	"pview/sim/scenario"
	"pview/sim/study"
)

// studyPlot is --plot and --html.
type studyPlot struct {
	command.PlotFlags
	html string
}

func (p *studyPlot) flags(f *pflag.FlagSet) {
	p.PlotFlags.Flags(f, "write the plots of the study")
	f.StringVar(&p.html, "html", "",
		"write the answer, responses, factors, settings, plots and runs of the study as a page to `FILE`")
}

// write writes the plots of a table, one below the other.
func (p *studyPlot) write(plan *study.Plan, t *study.Table) error {
	if !p.Wanted() {
		return nil
	}
	f := &picture.Figure{Title: fmt.Sprintf("Study of %s: %s", plan.Title, plan.Kind),
		Subtitle: quantity.CountOf(int64(len(t.Rows)), "run")}
	for _, one := range studies.Figures(plan.Kind, t) {
		f.Panels = append(f.Panels, &picture.Chart{Figure: one})
	}
	return p.Save(f)
}

// notSettings are flags that do not change the runs.
var notSettings = append([]string{"html", "save-run", "deadline", "shard", "top", "write", "row", "hosts", "color"},
	notForElements...)

// settingTable has the arguments of the command, and the given flags.
func (s *studyFlags) settingTable() *report.Table {
	out := &report.Table{Title: "Settings",
		Columns: []report.Column{{Title: "Setting"}, {Title: "Value"}, {Title: "Meaning"}}}
	for _, arg := range s.Command.Flags().Args() {
		out.Add("argument", arg, "")
	}
	s.Command.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "machine" && !f.Changed || slices.Contains(notSettings, f.Name) {
			return
		}
		_, usage := pflag.UnquoteUsage(f)
		for i, v := range valuesOf(f) {
			if i > 0 {
				usage = ""
			}
			out.Add("--"+f.Name, v, report.UpperFirst(usage))
		}
	})
	return out
}

// valuesOf returns the values of a flag, each in the flag's notation.
func valuesOf(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// scenario returns the machine and the rules of the first subject.
func (s *studyFlags) scenario() scenario.Scenario {
	return scenario.Scenario{Machine: s.base.Machine, Rules: s.base.Rules}
}

// blockNames names the blocks of the first subject.
func (s *studyFlags) blockNames() scenario.BlockName {
	if t := s.measured[s.base.Program]; t != nil {
		return scenario.BlockNames(t.Labels)
	}
	return scenario.BlockNames(&prv.Labels{})
}

// basis returns the basis of a study's predictions: the machine, and how well the fitted one replays the run.
func (s *studyFlags) basis(ctx context.Context) (*validation.Basis, error) {
	if s.base == nil || len(s.base.Program.Threads) == 0 {
		return nil, nil
	}
	b := &validation.Basis{Machine: s.scenario().InWords(s.machine, s.base.Program, s.blockNames())}
	if t := s.measured[s.base.Program]; t != nil && !document.IsRows(s.Format.Value) {
		r, err := validation.Of(ctx, t, s.base.Program, s.MemoryBytes)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			s.Say("%s: %v", s.base.Name, err)
		}
		if b.Replay = r; len(s.measured) > 1 {
			b.Of = s.base.Name
		}
	}
	return b, nil
}

// machineTable has the parameters and rules in which the simulated machine differs from an ideal one.
func (s *studyFlags) machineTable() *report.Table {
	out := &report.Table{Title: "Machine, as it differs from ideal", Columns: []report.Column{{Title: "Parameter"},
		{Title: "Value", Right: true}, {Title: "Ideal", Right: true}, {Title: "Meaning"}}}
	if s.base == nil {
		return out
	}
	for _, d := range s.scenario().FromIdeal(s.base.Program, s.blockNames()) {
		doc := ""
		if p := parameter.ByName(d.What); p != nil {
			doc = report.UpperFirst(p.Doc)
		}
		out.Add(d.What, d.After, d.Before, doc)
	}
	return out
}
