package cli

// docs/diagnose.md, from the tables of rules, causes and classes.

import (
	_ "embed"
	"fmt"
	"strings"

	"pview/insight/diagnose"
	"pview/insight/waits"
	"pview/prv/charm"
	"pview/sim/driven"
)

//go:embed diagnose.md
var diagnoseIntroduction string

// diagnosePage describes the rules.
func diagnosePage() string {
	var b strings.Builder
	b.WriteString(generated + diagnoseIntroduction + "\n## Rules\n\n| rule | name | question | cost | from | needs |\n| --- | --- | --- | --- | --- | --- |\n")
	cell := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	for i := range diagnose.Rules {
		r := &diagnose.Rules[i]
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s |\n", r.ID, r.Name, cell(r.Doc), cell(r.Formula), cell(r.Threshold), cell(r.Needs))
	}
	b.WriteString("\n## Causes of idle time\n\n| cause | meaning |\n| --- | --- |\n")
	for _, c := range diagnose.Causes {
		fmt.Fprintf(&b, "| %s | %s |\n", c.Name, c.Doc)
	}
	b.WriteString("\n## Runtime systems of message-driven runs\n\n`pview diagnose --runtimes` simulates them. A task that a balancer places takes the latency of a message per hop.\n\n| queue | order |\n| --- | --- |\n")
	for _, q := range driven.Queues {
		fmt.Fprintf(&b, "| %s | %s |\n", q.Name, cell(q.Doc))
	}
	b.WriteString("\nMessages to objects that exist come before those that make new ones.\n\n| load balancing | tasks that may execute anywhere |\n| --- | --- |\n")
	for _, s := range driven.Strategies {
		fmt.Fprintf(&b, "| %s | %s |\n", s.Name, cell(s.Doc))
	}
	b.WriteString("\n## Events of message-driven runs\n\nThese make a trace that of a message-driven run. The .pcf may have other numbers with the same labels. Events of one time and thread stand on one line.\n\n" +
		"| type | label | value |\n| --- | --- | --- |\n")
	for _, e := range charm.EventTypes() {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", e.Type, e.Label, cell(e.Doc))
	}
	b.WriteString("\n## Classes of waits\n\n| number | class | meaning |\n| --- | --- | --- |\n")
	for i := range waits.Classes {
		c := &waits.Classes[i]
		fmt.Fprintf(&b, "| %d | %s | %s |\n", c.Class, c.Name, c.Doc)
	}
	return b.String()
}
