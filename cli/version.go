package cli

import (
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pview/cli/command"
)

// release is the version of a released binary, set by the linker:
//
//	go build -ldflags "-X pview/cli.release=1.2.3"
var release string

// version prints the same as --version: bug reports and module files want a command.
func (a *commandLine) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version: release, commit and its time, Go version",
		Long: "version prints the release, the commit that pview was built from with its time (UTC), and the Go " +
			"version, as far as the binary records them. --version is the same.",
		Example: "pview version",
		Args:    command.Needs(),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.Out, "pview %s\n", version())
			return err
		},
	}
}

// version returns the version as exactly as the binary allows: the release, the commit it was built from and its time,
// the compiler.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(release, info)
}

func describe(release string, info *debug.BuildInfo) string {
	if release == "" {
		release = strings.TrimPrefix(info.Main.Version, "v")
	}
	if release == "" || release == "(devel)" {
		release = "development version"
	}
	var from []string
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if commit := settings["vcs.revision"]; commit != "" {
		commit = "commit " + commit[:min(12, len(commit))]
		if settings["vcs.modified"] == "true" {
			commit += " with changes"
		}
		if when, err := time.Parse(time.RFC3339, settings["vcs.time"]); err == nil {
			commit += " of " + when.UTC().Format("2006-01-02 15:04")
		}
		from = append(from, commit)
	}
	if info.GoVersion != "" {
		from = append(from, info.GoVersion)
	}
	if len(from) == 0 {
		return release
	}
	return fmt.Sprintf("%s (%s)", release, strings.Join(from, ", "))
}
