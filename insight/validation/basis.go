package validation

import "pview/insight/report"

// Basis is the basis of predictions.
type Basis struct {
	Machine string  // in words; a study varies it
	Of      string  // the trace of Replay, if there are several
	Replay  *Replay // of the run on the machine fitted to it; nil if nothing was measured
}

// Section returns the basis for people.
func (b *Basis) Section() report.Section {
	blocks := []report.Block{&report.Passage{Text: "Machine: " + b.Machine, Tone: report.Note}}
	if b.Replay != nil {
		of := ""
		if b.Of != "" {
			of = " of " + b.Of
		}
		blocks = append(blocks, &report.Passage{Text: "Accuracy" + of + ": " + b.Replay.String(), Tone: report.Note})
	}
	return report.Section{Blocks: blocks}
}

// Fields returns the basis for JSON.
func (b *Basis) Fields() report.Object {
	o := report.NewObject("machine", b.Machine)
	if b.Replay != nil {
		o = o.With("fitted_replay", b.Replay.object())
	}
	return o
}
