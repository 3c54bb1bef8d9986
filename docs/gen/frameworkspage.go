package main

// docs/frameworks.md, with the table of policies.

import (
	_ "embed"
	"fmt"
	"strings"

	"pview/insight/frameworks"
)

//go:embed frameworks.md
var frameworksIntroduction string

// frameworksEnd follows the table of policies.
//
//go:embed frameworksmodels.md
var frameworksEnd string

// frameworksPage describes the models.
func frameworksPage() string {
	var b strings.Builder
	b.WriteString(generated + frameworksIntroduction + "\n| policy | | source |\n| --- | --- | --- |\n")
	for _, p := range frameworks.Policies() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.Name, p.Doc, p.Source)
	}
	b.WriteString(frameworksEnd)
	return b.String()
}
