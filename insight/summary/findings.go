package summary

// What the findings of a diagnosis are in the sentence on the first screen: a few words each, so that three of them fit
// beside each other.

import (
	"fmt"

	"pview/insight/finding"
	"pview/prv"
)

// brief is what a rule has found, in a few words, and the word before the thread that is to blame: "uneven work", "on";
// "" if none is.
var brief = map[string]struct{ what, before string }{
	"R02": {"late sends", "on"},
	"R03": {"large messages", "from"},
	"R04": {"many small messages", ""},
	"R05": {"threads in turn", ""},
	"R06": {"a bottleneck", "on"},
	"R07": {"work in small pieces", ""},
	"R09": {"serial start", "on"},
	"R11": {"polling", "on"},
	"R12": {"uneven counts", "on"},
	"R13": {"uneven work", "on"},
	"R14": {"uneven overhead", "on"},
	"R15": {"uneven roles", "on"},
	"R17": {"neighbours on distant nodes", ""},
	"R29": {"critical path", ""},
	"R31": {"slow messages", ""},
	"R32": {"slow collectives", ""},
	"R33": {"clocks disagree", ""},
	"R34": {"delays", "by"},
	"R35": {"receives in wrong order", ""},
	"R36": {"late receives", "on"},
	"R37": {"idle OpenMP threads", ""},
	"R38": {"shared cores", ""},
	"R39": {"tasks handed out", "by"},
	"R40": {"slowest stage", "on"},
}

// mentioned is the number of findings in the sentence.
const mentioned = 3

// WithFindings returns the lines of a summary in which the first findings of a diagnosis take the place of what the
// factors alone say. Without findings that are worth a sentence they are the lines as they were. length is that of the
// run.
func (s *Summary) WithFindings(t *prv.Trace, list []finding.Finding, length int64) []Line {
	var lines []Line
	for i := range list {
		f := &list[i]
		share := 100 * f.Weight() / float64(max(length, 1))
		if len(lines) == mentioned || !f.Warning && share < notable {
			break
		}
		l := Line{Sentence: inBrief(t, f), Opens: Findings, Finding: i}
		if !f.Warning {
			l.Sentence += " " + Rounded(share)
			if len(lines) == 0 {
				l.Sentence = "lost to " + l.Sentence
			}
		}
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		return s.Lines
	}
	if len(s.Factors) > 0 {
		lines[0].Sentence = Percent(s.Factors[0].Value) + " efficient; " + lines[0].Sentence
	}
	return lines
}

// inBrief is a finding in a few words.
func inBrief(t *prv.Trace, f *finding.Finding) string {
	words, ok := brief[f.Rule]
	if !ok {
		return f.Name
	}
	if words.before == "" || len(f.Threads) == 0 {
		return words.what
	}
	p, task, thread := t.ThreadID(f.Threads[0])
	return fmt.Sprintf("%s %s %d.%d.%d", words.what, words.before, p, task, thread)
}
