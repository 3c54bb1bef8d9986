package command

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"pview/sim"
	"pview/sim/parameter"
	"pview/sim/scenario"
)

// CompleteMachine completes the flags of a machine whose values are names.
func CompleteMachine(cmd *cobra.Command) {
	complete := func(flag string, values func(typed string) ([]string, cobra.ShellCompDirective)) {
		err := cmd.RegisterFlagCompletionFunc(flag,
			func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				return values(typed)
			})
		if err != nil {
			panic(err) // no such flag
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
	CompleteMachineName(cmd)
}

// CompleteMachineName completes the flag --machine.
func CompleteMachineName(cmd *cobra.Command) {
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
		panic(err) // no such flag
	}
}

// ParameterDoc returns the help of a parameter: its meaning, and its choices.
func ParameterDoc(p *parameter.Parameter) string {
	doc := p.Doc
	if p.Kind == parameter.KindChoice {
		var names []string
		for _, c := range p.Choices {
			names = append(names, c.Name)
		}
		if !strings.Contains(doc, names[0]) {
			doc += ": " + strings.Join(names, ", ")
		}
	}
	return doc
}

// TextFlag is a flag that takes any text.
type TextFlag struct {
	Kind string
	Take func(string)
}

// String, Set and Type make it a flag value.
func (t *TextFlag) String() string { return "" }

// Set takes the text.
func (t *TextFlag) Set(v string) error {
	t.Take(v)
	return nil
}

// Type names the value, for the help.
func (t *TextFlag) Type() string { return t.Kind }

// MachineFor returns the machine of a name or a file, for a program; room: it is a class of machines, with as many
// nodes as the program needs.
func MachineFor(name string) (machine func(*sim.Program) *sim.Machine, room bool, err error) {
	machine, room, err = scenario.MachineByName(name)
	return machine, room, MachineError(name, err)
}

// MachineError returns the error for a machine that cannot be opened: an unknown name is a command-line error.
func MachineError(name string, err error) error {
	if err = scenario.NotAMachine(name, err); errors.As(err, new(scenario.UnknownMachine)) {
		return Usagef("%w", err)
	}
	return err
}
