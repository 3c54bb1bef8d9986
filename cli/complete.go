package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pview/prv/format"
	"pview/sim"
	"pview/sim/parameter"
	"pview/tui"
)

// completeTraces completes names of traces.
func completeTraces(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return completeFiles(typed, isTrace)
}

// completeViewed completes names of files that the viewer opens: traces and Paraver's .cfg files.
func completeViewed(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return completeFiles(typed, func(name string) bool {
		return isTrace(name) || strings.HasSuffix(name, ".cfg") || strings.HasSuffix(name, tui.SessionExt)
	})
}

// completePrograms completes names of traces that pview sim can simulate.
func completePrograms(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return completeFiles(typed, func(name string) bool { return format.HasTraceName(name, true) })
}

// completeMachine completes the flags of a machine whose values are names.
func completeMachine(cmd *cobra.Command) {
	complete := func(flag string, values func(typed string) ([]string, cobra.ShellCompDirective)) {
		err := cmd.RegisterFlagCompletionFunc(flag,
			func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				return values(typed)
			})
		if err != nil {
			panic(err) // there is no such flag
		}
	}
	for i := range parameter.All {
		if p := &parameter.All[i]; p.Kind == parameter.KindChoice {
			complete(p.Name, func(string) (names []string, _ cobra.ShellCompDirective) {
				for _, c := range p.Choices {
					names = append(names, c.Name)
				}
				return names, cobra.ShellCompDirectiveNoFileComp
			})
		}
	}
	complete("model", func(string) (names []string, _ cobra.ShellCompDirective) {
		for _, m := range sim.Models {
			names = append(names, m.Name)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
	completeMachineName(cmd)
}

// completeMachineName completes the flag --machine.
func completeMachineName(cmd *cobra.Command) {
	err := cmd.RegisterFlagCompletionFunc("machine",
		func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			files, directive := completeFiles(typed, func(name string) bool { return strings.HasSuffix(name, ".cfg") })
			var names []string
			for i := range parameter.Presets() {
				if name := parameter.Presets()[i].Name; strings.HasPrefix(name, typed) {
					names = append(names, name)
				}
			}
			if names != nil {
				directive = cobra.ShellCompDirectiveNoFileComp // a name ends the argument
			}
			return append(names, files...), directive
		})
	if err != nil {
		panic(err) // there is no such flag
	}
}

// completeFiles completes names of files that fit, and of directories. (The shells' own completion by file name
// extension would be less to write, but it cannot stand beside the names of commands.)
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

// isTrace reports whether a file's name is that of a trace.
func isTrace(name string) bool { return format.HasTraceName(name, false) }
