package diagnose

// Findings in the headline: a few words each, so that three of them fit beside each other.

import (
	"fmt"

	"pview/insight/account"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
)

// Brief is a finding of a rule in a few words, and the word before the thread that is to blame: "uneven work", "on"; ""
// if none is.
type Brief struct{ what, before string }

// mentioned is the number of findings, and of steps of the account, in the headline.
const mentioned = 3

// notable is the minimum share of the run, in percent, that is worth a sentence.
const notable = 2

// Headline returns the lines of a headline: how efficient the run is and where the rest of its time went, which sums;
// then what the first findings of a list would gain. Where there is no account, it knows too little, or nothing is
// lost, the lines of h follow.
func (r *Result) Headline(h *report.Headline, t *prv.Trace, list []report.Finding) []report.Line {
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
	rule := ruleByID(f.Rule)
	if rule == nil || rule.Brief.what == "" {
		return f.Name
	}
	words := rule.Brief
	if is, ok := causeInBrief[f.Cause]; ok && f.Kind == report.Imbalance {
		words.what = is
	}
	if f.When == report.Moving {
		return "uneven work that moves"
	}
	if words.before == "" || len(f.Threads) == 0 {
		return words.what
	}
	p, task, thread := t.ThreadID(f.Threads[0])
	return fmt.Sprintf("%s %s %d.%d.%d", words.what, words.before, p, task, thread)
}
