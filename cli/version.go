package cli

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// release is the version of a released binary, set by the linker:
//
//	go build -ldflags "-X pview/cli.release=1.2.3"
var release string

// version tells which pview this is, as exactly as the binary knows: the
// release, the commit it was built from, the compiler.
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
