package answer

// Findings in the headline: a few words each, so that three of them fit beside each other.

import (
	"fmt"

	"pview/insight/account"
	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
)

// mentioned is the number of findings, and of steps of the account, in the headline.
const mentioned = 3

// notable is the minimum share of the run, in percent, worth a sentence.
const notable = 2

// Headline returns the lines of a headline: how efficient the run is and where the rest of its time went, which adds
// up; then the gains of the first findings of a list. Without an account, or if it knows too little or nothing is lost,
// the lines of h follow.
func Headline(r *diagnose.Result, h *report.Headline, t *prv.Trace, list []report.Finding) []report.Line {
	var lines []report.Line
	for i := range list {
		f := &list[i]
		share := 100 * f.Weight() / float64(max(r.Length, 1))
		if len(lines) == mentioned || !f.Warning && share < notable {
			break
		}
		l := report.Line{Sentence: inBrief(t, f), Opens: report.Findings, Finding: i}
		if !f.Warning {
			l.Sentence += " " + quantity.FormatPercent(share/100)
			if i == 0 || list[i-1].Warning {
				l.Sentence = "to gain: " + l.Sentence
			}
		}
		lines = append(lines, l)
	}
	if a := r.Account; a != nil && len(h.Factors) > 0 && 100*a.Share(a.Loss()) >= notable &&
		2*a.Of(account.Unknown).Float() < a.Loss().Float() {
		efficient := quantity.FormatPercent(a.Efficiency()) + " efficient; lost: "
		l := report.Line{Sentence: efficient + a.Sentence(mentioned), Opens: report.Account}
		for n := mentioned - 1; n > 0; n-- {
			l.Shorter = append(l.Shorter, efficient+a.Sentence(n))
		}
		return append([]report.Line{l}, lines...)
	}
	return append(lines, h.Lines...)
}

// causeInBrief are the causes of uneven times in a few words.
var causeInBrief = map[report.Cause]string{report.ByIPC: "low IPC", report.ByClock: "a lower clock"}

// inBrief writes a finding in a few words.
func inBrief(t *prv.Trace, f *report.Finding) string {
	rule := diagnose.RuleByID(f.Rule)
	if rule == nil || rule.Brief.What == "" {
		return f.Name
	}
	words := rule.Brief
	if is, ok := causeInBrief[f.Cause]; ok && f.Kind == report.Imbalance {
		words.What = is
	}
	if f.Kind == report.InputOutput {
		words.What = "uneven I/O"
	}
	if f.When == report.Moving {
		return "uneven work that moves"
	}
	if words.Before == "" || len(f.Threads) == 0 {
		return words.What
	}
	p, task, thread := t.ThreadID(f.Threads[0])
	return fmt.Sprintf("%s %s %d.%d.%d", words.What, words.Before, p, task, thread)
}
