package cli

import (
	"runtime/debug"
	"testing"
)

// The version prints only what the binary records about itself.
func TestDescribe(t *testing.T) {
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
			{Key: "vcs.modified", Value: modified}}
	}
	tests := []struct {
		release string
		info    debug.BuildInfo
		want    string
	}{
		{"", debug.BuildInfo{}, "development version"},
		{"", debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "(devel)"}},
			"development version (go1.26.0)"},
		{"", debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "v1.2.3"}, Settings: vcs("false")},
			"1.2.3 (commit 0123456789ab, go1.26.0)"},
		{"1.2.4", debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: vcs("true")},
			"1.2.4 (commit 0123456789ab with changes)"},
		{"1.2.4", debug.BuildInfo{GoVersion: "go1.26.0",
			Settings: append(vcs("false"), debug.BuildSetting{Key: "vcs.time", Value: "2026-11-22T12:34:56+02:00"})},
			"1.2.4 (commit 0123456789ab of 2026-11-22 10:34, go1.26.0)"},
	}
	for _, test := range tests {
		if got := describe(test.release, &test.info); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
