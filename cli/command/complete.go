package command

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pview/prv/format"
	"pview/tui"
)

// CompleteTraces completes names of traces.
func CompleteTraces(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return completeFiles(typed, IsTrace)
}

// CompleteViewed completes names of files that the viewer opens: traces and Paraver's .cfg files.
func CompleteViewed(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return completeFiles(typed, func(name string) bool {
		return IsTrace(name) || strings.HasSuffix(name, ".cfg") || strings.HasSuffix(name, tui.SessionExt)
	})
}

// CompletePrograms completes names of traces that pview sim can simulate.
func CompletePrograms(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return completeFiles(typed, func(name string) bool { return format.HasTraceName(name, true) })
}

// completeFiles completes names of files that fit, and of directories. (The shells' own completion by file name
// extension would be less code, but cannot be combined with names of commands.)
func completeFiles(typed string, fits func(name string) bool) ([]string, cobra.ShellCompDirective) {
	dir, prefix := filepath.Split(typed)
	entries, err := os.ReadDir(filepath.Join(".", dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []string
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, prefix) || strings.HasPrefix(name, ".") && prefix == "" {
			continue
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.IsDir() {
			found = append(found, dir+name+string(filepath.Separator))
		} else if fits(name) {
			found = append(found, dir+name)
			directive = cobra.ShellCompDirectiveNoFileComp // a trace ends the argument, a directory does not
		}
	}
	return found, directive
}

// IsTrace reports whether a file's name is that of a trace.
func IsTrace(name string) bool {
	return format.HasTraceName(name, false) && !strings.HasSuffix(name, tui.SessionExt)
}
