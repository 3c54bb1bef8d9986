package cli

// docs/diagnose.md, from the tables of rules, causes and classes.

import (
	_ "embed"
	"fmt"
	"strings"

	"pview/insight/diagnose"
	"pview/insight/waits"
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
		needs := r.Needs
		if r.Phase == nil && r.Run == nil {
			needs += "; not supported yet"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s |\n", r.ID, r.Name, cell(r.Doc), cell(r.Formula), cell(r.Threshold), cell(strings.TrimPrefix(needs, "; ")))
	}
	b.WriteString("\n## Causes of idle time\n\n| cause | meaning |\n| --- | --- |\n")
	for _, c := range diagnose.Causes {
		fmt.Fprintf(&b, "| %s | %s |\n", c.Name, c.Doc)
	}
	b.WriteString("\n## Classes of waits\n\n| number | class | meaning |\n| --- | --- | --- |\n")
	for i := range waits.Classes {
		c := &waits.Classes[i]
		fmt.Fprintf(&b, "| %d | %s | %s |\n", c.Class, c.Name, c.Doc)
	}
	return b.String()
}
