package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/report"
	"pview/prv/decode"
	"pview/render/document"
	"pview/tui"
	"pview/tui/action"
)

// The configuration file has a user's defaults: for the flags shared by all commands, the initial settings of
// simulations and of the viewer, and the viewer's keys. Flags on the command line override it.

// configVariable names the environment variable with another path of the file.
const configVariable = "PVIEW_CONFIG"

// configured are the flags that the file may set.
var configured = []string{"ascii", "color", "index-limit", "memory", "no-index", "renderer", "sizes", "sort-states",
	"strict", "theme", "units"}

// The settings that are not flags.
const machineSetting, keysSetting, presetSetting, viewSetting, drawSetting = "machine", "keys", "preset", "view", "draw"

// configPath returns the path of the file, which need not exist.
func configPath() string {
	if path := os.Getenv(configVariable); path != "" {
		return path
	}
	return filepath.Join(xdg.ConfigHome, "pview", "config.toml")
}

// configure reads the file, if there is one.
func (a *commandLine) configure(root *cobra.Command) error {
	a.machine, a.firstView, a.drawMode = "fitted", tui.Auto, tui.Auto
	path := configPath()
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return a.configureBy(root, path, string(text))
}

func (a *commandLine) configureBy(root *cobra.Command, path, text string) error {
	values := map[string]any{}
	if _, err := decode.TOML(path, text, &values); err != nil {
		return err
	}
	a.origins = map[string]string{}
	inOrder := slices.SortedFunc(maps.Keys(values), func(x, y string) int {
		return cmp.Or(cmp.Compare(lineOf(text, x), lineOf(text, y)), cmp.Compare(x, y))
	})
	for _, key := range inOrder { // report the first of several errors
		at := fmt.Sprintf("%s:%d", path, lineOf(text, key))
		if err := a.set(root, key, values[key], text, path); err != nil {
			return fmt.Errorf("%s: %s: %w", at, key, err)
		}
		a.origins[key] = at
	}
	return nil
}

// set takes one setting of the file.
func (a *commandLine) set(root *cobra.Command, key string, v any, text, path string) error {
	switch {
	case key == machineSetting:
		name, ok := v.(string)
		if !ok || name == "" {
			return errors.New("must be the name of a machine, a file, or \"fitted\"")
		}
		a.machine = name
		return nil
	case key == keysSetting:
		return a.setKeys(v, text, path)
	case key == viewSetting:
		return oneOf(&a.firstView, v, tui.ViewNames())
	case key == drawSetting:
		return oneOf(&a.drawMode, v, tui.DrawModeNames())
	case !slices.Contains(configured, key):
		return fmt.Errorf("no such setting; known: %s", strings.Join(settings(), ", "))
	}
	f := rootFlag(root, key)
	if f.Changed {
		return nil
	}
	switch v.(type) {
	case string, bool, int64, float64:
		return f.Value.Set(fmt.Sprint(v))
	}
	return fmt.Errorf("invalid value: %v", v)
}

// settings returns the names of all settings.
func settings() []string {
	return slices.Sorted(slices.Values(append(slices.Clone(configured), keysSetting, machineSetting, viewSetting,
		drawSetting)))
}

// oneOf sets a name known to the viewer, or auto, in upper or lower case.
func oneOf(to *string, v any, known []string) error {
	known = append([]string{tui.Auto}, known...)
	name, _ := v.(string)
	i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
	if i < 0 {
		return fmt.Errorf("must be one of %s", strings.Join(known, ", "))
	}
	*to = known[i]
	return nil
}

// setKeys takes the name of a preset, or the table of keys: the name of an action, and its keys. A preset in the table
// is the starting point.
func (a *commandLine) setKeys(v any, text, path string) error {
	a.keys = map[string][]string{}
	if name, ok := v.(string); ok {
		return a.takePreset(name)
	}
	table, ok := v.(map[string]any)
	if !ok {
		return errors.New(`must be a preset, or a table: "zoom in" = ["w", "+"]`)
	}
	if name, ok := table[presetSetting].(string); ok {
		if err := a.takePreset(name); err != nil {
			return fmt.Errorf("line %d: %w", lineOf(text, presetSetting), err)
		}
		delete(table, presetSetting)
	}
	known := map[string]bool{}
	for a := range action.Each(tui.Actions()) {
		known[a.Name] = true
	}
	for name := range tui.FormerNames() {
		known[name] = true
	}
	for name, v := range table {
		list, ok := v.([]any)
		if !known[name] {
			return fmt.Errorf("line %d: there is no action %q; pview list actions has them", lineOf(text, name), name)
		}
		var keys []string
		for _, k := range list {
			key, isText := k.(string)
			ok = ok && isText && key != ""
			keys = append(keys, key)
		}
		if !ok || len(list) == 0 {
			return fmt.Errorf(`line %d: %s: must be a list of keys: ["w", "+"]`, lineOf(text, name), name)
		}
		a.keys[action.PresentName(name)] = keys
	}
	return nil
}

// takePreset sets the keys to a preset's.
func (a *commandLine) takePreset(name string) error {
	var names []string
	for _, p := range tui.Presets {
		if p.Name == name {
			maps.Copy(a.keys, p.Keys)
			return nil
		}
		names = append(names, p.Name)
	}
	return fmt.Errorf("no preset %q; known: %s", name, strings.Join(names, ", "))
}

// lineOf returns the line of a key or table in the file.
func lineOf(text, key string) int {
	k := regexp.QuoteMeta(key)
	at := regexp.MustCompile(`(?m)^\s*(\[\s*` + k + `\s*\]|"?` + k + `"?\s*=)`).FindStringIndex(text)
	if at == nil {
		return 1
	}
	line := text[:at[0]] + strings.TrimRight(text[at[0]:at[1]], " \t")
	return strings.Count(strings.TrimRight(line, "\n"), "\n") + 1
}

func rootFlag(root *cobra.Command, name string) *pflag.Flag {
	if f := root.PersistentFlags().Lookup(name); f != nil {
		return f
	}
	return root.Flags().Lookup(name)
}

// config prints the settings in effect, and the source of each.
func (a *commandLine) config() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the settings in effect and where they come from",
		Long: "config prints the defaults in effect: of flags, of the machine that the viewer's simulations begin " +
			"with, of the view and the draw mode that a trace opens with, and of keys. They come from the " +
			"configuration file (config.toml in the folder pview of XDG_CONFIG_HOME, or the file that " +
			configVariable + " names), unless a flag says otherwise. The file is TOML: color = \"256\", memory = " +
			"\"4G\", machine = \"ideal\", theme = \"light\", units = \"ms\", sizes = \"binary\"; view = \"MPI " +
			"call\" (a ready view, see pview list views; a trace without it opens as usual); draw = \"Maximum\" " +
			"(see pview list draw-modes); keys in a table: [keys] \"zoom in\" = [\"w\"], or by the name of a " +
			"preset: keys = \"wasd\" (w and s zoom, a and d pan, as in Perfetto; Ctrl+A analyzes and Ctrl+P " +
			"simulates then). With preset = \"wasd\" in the table, the other entries change that preset.",
		Example: "pview config\n" +
			"pview config --format json",
		Args: command.Needs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.printConfig(cmd.Root()) },
	}
}

func (a *commandLine) printConfig(root *cobra.Command) error {
	t := &report.Table{Columns: []report.Column{{Key: "setting", Title: "Setting"}, {Key: "value", Title: "Value"},
		{Key: "origin", Title: "Origin"}}}
	origin := func(name string) string {
		if from := a.origins[name]; from != "" {
			return from
		}
		return "default"
	}
	for _, name := range configured {
		f, from := rootFlag(root, name), origin(name)
		if f.Changed {
			from = "command line"
		}
		t.Add(name, f.Value.String(), from)
	}
	t.Add(machineSetting, a.machine, origin(machineSetting))
	t.Add(viewSetting, a.firstView, origin(viewSetting))
	t.Add(drawSetting, a.drawMode, origin(drawSetting))
	for each := range action.Each(tui.Actions()) {
		if keys := a.keys[each.Name]; keys != nil {
			t.Add(keysSetting+"."+each.Name, strings.Join(keys, " "), origin(keysSetting))
		}
	}
	former := tui.FormerNames()
	for _, name := range slices.Sorted(maps.Keys(former)) {
		if keys := a.keys[name]; keys != nil {
			t.Add(keysSetting+"."+name, strings.Join(keys, " "), origin(keysSetting)+", a former name of "+former[name])
		}
	}
	if a.Format.Value == "table" {
		state := ""
		if _, err := os.Stat(configPath()); err != nil {
			state = " (not there)"
		}
		if _, err := fmt.Fprintf(a.Out, "%s%s\n\n", configPath(), state); err != nil {
			return err
		}
	}
	return document.WriteTable(a.Out, t, a.Format.Value)
}
