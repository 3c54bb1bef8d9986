package command

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func CommandRows(cmd *cobra.Command) (rows [][2]string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			rows = append(rows, [2]string{c.Name(), c.Short})
		}
	}
	return rows
}

func FlagRows(flags *pflag.FlagSet) (rows [][2]string) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			name += " " + value
		}
		rows = append(rows, [2]string{name, usage})
	})
	return rows
}
