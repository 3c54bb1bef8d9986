package main

// docs/diagnose.md, from the tables of rules, entries and classes.

import (
	_ "embed"
	"fmt"
	"strings"

	"pview/insight/account"
	"pview/insight/diagnose"
	"pview/insight/waits"
	"pview/prv/extrae/execution"
	"pview/sim/driven"
)

//go:embed diagnose.md
var diagnoseIntroduction string

// diagnosePage describes the rules.
func diagnosePage() string {
	var b strings.Builder
	b.WriteString(generated + diagnoseIntroduction)
	writeAccount(&b)
	b.WriteString("\n## Rules\n\n| rule | name | question | cost | from | needs |\n| --- | --- | --- | --- | --- | " +
		"--- |\n")
	cell := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	for _, r := range diagnose.Rules {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s |\n", r.ID, r.Name, cell(r.Doc), cell(r.Formula),
			cell(r.Threshold), cell(r.Needs.String()))
	}
	writeStages(&b)
	b.WriteString(
		"\n## Runtime systems of message-driven runs\n\n`pview diagnose --runtimes` simulates them. A task that a " +
			"balancer places takes the latency of a message per hop.\n\n| queue | order |\n| --- | --- |\n")
	for _, q := range driven.Queues {
		fmt.Fprintf(&b, "| %s | %s |\n", q.Name, cell(q.Doc))
	}
	b.WriteString(
		"\nMessages to objects that exist come before those that make new ones.\n\n| load balancing | tasks that " +
			"may execute anywhere |\n| --- | --- |\n")
	for _, s := range driven.Strategies {
		fmt.Fprintf(&b, "| %s | %s |\n", s.Name, cell(s.Doc))
	}
	b.WriteString(
		"\n## Events of message-driven runs\n\nThese make a trace that of a message-driven run. The .pcf may have " +
			"other numbers with the same labels. Events of one time and thread stand on one line.\n\n" +
			"| type | label | value |\n| --- | --- | --- |\n")
	for _, e := range execution.EventTypes() {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", e.Type, e.Label, cell(e.Doc))
	}
	b.WriteString("\n## Classes of waits\n\n| number | class | meaning |\n| --- | --- | --- |\n")
	for i := range waits.Classes {
		c := &waits.Classes[i]
		fmt.Fprintf(&b, "| %d | %s | %s |\n", c.Class, c.Name, c.Doc)
	}
	return b.String()
}

//go:embed account.md
var accountText string

// writeAccount describes the entries of the account, and the words that all commands use.
func writeAccount(b *strings.Builder) {
	text, glossary, _ := strings.Cut(accountText, "<!-- entries -->\n")
	b.WriteString("\n" + text + "| entry | in it | divided by |\n| --- | --- | --- |\n")
	by := [account.NumKinds]string{"`region=`", "`thread=`", "`cause=REGION@THREAD`, `state=` without events of calls",
		"`call=`, and the region around it",
		"`call=`, and the region around it", "`call=`, and the region around it", "`construct=`, and its cause",
		"`region=` of the master meanwhile, or `reason=`", "`call=`", "`reason=`", "`reason=`",
		"`call=`", "`device=`", "`device=`", "`reason=`"}
	for i, k := range account.Kinds {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", k.Key, k.Doc, by[i])
	}
	b.WriteString(glossary)
}

// writeStages describes the run in stages.
func writeStages(b *strings.Builder) {
	b.WriteString(
		"\n## The run in stages\n\n`t` in the Findings pane divides the run into stages of one length (`+` and `-` " +
			"halve and double it, `T` sets it) and shows an attribute (`a` the next one) over time, by thread, as a " +
			"heat map of both, or animated: each thread is a cell of a ring, spanning tree, mesh or 3-D mesh (`o`, " +
			"lengths: `O`) that goes from red (nothing) to blue (the most); `Space` plays. Enter shows the chosen " +
			"stage in the timeline. `pview diagnose --stages TIME` prints a line per stage.\n\n" +
			"Stage k is [k dt, (k+1) dt). Shares and mean lengths are averaged over threads and stages, mean " +
			"lengths by the number of units; counts are added.\n\n| attribute | meaning |\n| --- | --- |\n")
	for _, a := range (&diagnose.Result{}).Attributes() {
		fmt.Fprintf(b, "| %s | %s |\n", a.Name, a.Doc)
	}
	b.WriteString(
		"\nThe regions of code with most time have two attributes each: the share of the time in them, and their " +
			"executions.\n")
}
