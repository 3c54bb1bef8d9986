package diagnose

// Findings in the headline: a few words each, so that three of them fit beside each other.

import (
	"fmt"

	"pview/insight/report"
	"pview/prv"
)

// Brief is a finding of a rule in a few words, and the word before the thread that is to blame: "uneven work", "on"; ""
// if none is.
type Brief struct{ what, before string }

// mentioned is the number of findings in the sentence.
const mentioned = 3

// notable is the minimum share of the run, in percent, that is worth a sentence.
const notable = 2

// Headline returns the lines of a headline in which the first findings of a diagnosis replace what the factors alone
// say; without findings worth a sentence, the lines as they were. length is that of the run.
func Headline(h *report.Headline, t *prv.Trace, list []report.Finding, length int64) []report.Line {
	var lines []report.Line
	for i := range list {
		f := &list[i]
		share := 100 * f.Weight() / float64(max(length, 1))
		if len(lines) == mentioned || !f.Warning && share < notable {
			break
		}
		l := report.Line{Sentence: inBrief(t, f), Opens: report.Findings, Finding: i}
		if !f.Warning {
			l.Sentence += " " + report.Rounded(share)
			if len(lines) == 0 {
				l.Sentence = "lost to " + l.Sentence
			}
		}
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		return h.Lines
	}
	if len(h.Factors) > 0 {
		lines[0].Sentence = report.Percent(h.Factors[0].Value) + " efficient; " + lines[0].Sentence
	}
	return lines
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
