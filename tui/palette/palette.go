// Package palette runs actions by name, by key and from prompts: the ":" palette with its completion, and the prompt
// for an action's arguments.
package palette

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/pane"
	"pview/tui/paths"
)

// Palette runs the actions of a table.
type Palette struct {
	Actions *action.Table
	Former  map[string]string // former names of actions, and the present ones
	Waiting func() bool       // the first trace is being read
	sc      *pane.Scene
	past    map[string]*[]string // earlier texts of the prompts, by action
}

// New returns a palette without actions.
func New(sc *pane.Scene) *Palette { return &Palette{sc: sc, past: map[string]*[]string{}} }

// Past returns the earlier texts of a prompt.
func (p *Palette) Past(name string) *[]string {
	if p.past[name] == nil {
		p.past[name] = new([]string)
	}
	return p.past[name]
}

// Press runs the action of a key, if any.
func (p *Palette) Press(key string) tea.Cmd {
	if p.sc.Focused {
		if a := p.Actions.InPane(p.sc.Open.Title(), key); a != nil {
			return p.Perform(a, key, "")
		}
	}
	if a := p.Actions.ForKey(key); a != nil {
		return p.Perform(a, key, "")
	}
	return nil
}

// Run runs the action of a name with arguments.
func (p *Palette) Run(name, args string) tea.Cmd { return p.Perform(p.Actions.Named(name), "", args) }

// Perform runs an action, by key or by name. It asks for missing arguments.
func (p *Palette) Perform(a *action.Action, key, args string) tea.Cmd {
	if c, rest := a.Choice(args); c != nil {
		return p.Perform(c, "", rest)
	}
	if a.NeedsView && p.sc.View == nil {
		if !p.Waiting() {
			p.sc.Say("no trace is open: " + p.sc.KeysOf("open") + " opens one")
		}
		return nil
	}
	if a.Allowed != nil {
		if err := a.Allowed(); err != nil {
			return p.sc.Refuse(err)
		}
	}
	if a.KeyIsArg && args == "" {
		args = key
	}
	switch {
	case args == "" && (a.Asks || a.Run == nil):
		return p.Ask(a.Name)
	case a.Run == nil:
		return p.sc.Refuse(fmt.Errorf("%s: %q is none of: %s", a.Name, args, a.Args))
	}
	return a.Run(args)
}

// Open opens the prompt for commands.
func (p *Palette) Open() tea.Cmd {
	return p.sc.Dialogs.Open(&dialog.Prompt{
		Label: ":", Hint: "type a command", Past: p.Past("palette"), Suggest: p.suggest, Resolve: p.resolve,
		Accept: p.command,
	})
}

// command runs a line of the palette.
func (p *Palette) command(text string) tea.Cmd {
	name, args, _ := strings.Cut(strings.TrimSpace(text), " ")
	if name == "" {
		return nil
	}
	a := p.Called(name)
	if a == nil {
		return p.sc.Refuse(fmt.Errorf("no such command: %q; nearest: %s; %s lists all", name,
			strings.Join(p.nearest(name), ", "), p.sc.KeysOf("help")))
	}
	args = strings.TrimSpace(args)
	if c, rest := a.Choice(args); c != nil {
		a, args = c, rest
	}
	if args != "" && a.Args == "" {
		return p.sc.Refuse(fmt.Errorf("%s takes no argument", a.Name))
	}
	if args == "" {
		p.sc.Dialogs.Settle() // errors do not concern the text if the action cannot run
	}
	return p.Perform(a, "", args)
}

// suggest completes a line of the palette.
func (p *Palette) suggest(text string) (offers []dialog.Completion) {
	name, args, more := strings.Cut(text, " ")
	if a := p.Called(name); more && a != nil {
		return suggestArgs(a, strings.TrimLeft(args, " "), name+" ")
	}
	for _, f := range p.fitting(text) {
		a := f.action
		o := dialog.Completion{Text: a.Name, Name: a.Name, Doc: a.Doc,
			Keys: p.sc.Theme.ASCII(action.JoinKeys(a.Keys)), Weak: f.weak}
		if a.Args != "" {
			o.Text, o.Name = o.Text+" ", o.Name+" "+a.Args
		}
		if f.task != "" {
			o.Name, o.Doc = f.task, a.Name+": "+a.Doc
		}
		offers = append(offers, o)
	}
	return offers
}

const maxCompletions = 300

// suggestArgs completes what follows an action's name.
func suggestArgs(a *action.Action, args, before string) (offers []dialog.Completion) {
	all := a.Offers(args)
	for _, i := range dialog.Rank(args, len(all), func(i int) string { return all[i] }) {
		if all[i] != args {
			offers = append(offers, dialog.Completion{Text: before + all[i], Name: afterShared(all[i], args)})
		}
		if len(offers) == maxCompletions {
			break
		}
	}
	return offers
}

// afterShared returns a completion without the words that are already typed.
func afterShared(text, typed string) string {
	if at := strings.LastIndexByte(typed, ' ') + 1; strings.HasPrefix(text, typed[:at]) && len(text) > at {
		return text[at:]
	}
	return text
}

// resolve returns what Enter means: the typed text if it is a command, else the chosen command.
func (p *Palette) resolve(prompt *dialog.Prompt, text string) (string, bool) {
	name, _, more := strings.Cut(text, " ")
	if prompt.Chosen < 0 || !prompt.Moved && p.Called(name) != nil {
		return text, false
	}
	o := prompt.Completions[prompt.Chosen]
	switch {
	case o.Weak && !prompt.Moved:
		return text, false
	case more:
		return o.Text, false
	}
	a := p.Actions.Named(strings.TrimSpace(o.Text))
	return o.Text, a != nil && a.NeedsArgs()
}

// Ask asks for the arguments of an action, and runs it with them.
func (p *Palette) Ask(name string) tea.Cmd {
	a := p.Actions.Named(name)
	text := ""
	if a.Prefill != nil {
		text = a.Prefill()
	}
	return p.ask(a, text, true)
}

// ask starts the prompt with a text, selected or not.
func (p *Palette) ask(a *action.Action, text string, selected bool) tea.Cmd {
	prompt := &dialog.Prompt{
		Label: a.Name + " ", Hint: a.Args + "  " + a.Doc, Past: p.Past(a.Name),
		Suggest: func(text string) []dialog.Completion {
			if a.Try != nil {
				a.Try(text)
			}
			return suggestArgs(a, text, "")
		},
		Dropped: a.Drop,
		Accept: func(text string) tea.Cmd {
			if a.Drop != nil {
				a.Drop()
			}
			switch {
			case a.Typed != nil:
				return a.Typed(text)
			case text == "":
				p.sc.Say(a.Name + " needs " + a.Args)
				return nil
			}
			return p.Perform(a, "", text)
		},
	}
	if a.PromptAs != nil {
		label, hint := a.PromptAs()
		prompt.Label, prompt.Hint = cmp.Or(label, prompt.Label), cmp.Or(hint, prompt.Hint)
	}
	if a.Files != nil {
		prompt.Browse = func(text string) tea.Cmd { return p.Browse(a, text) }
		prompt.Hint += "  " + action.KeyLabel(dialog.BrowseKey) + " chooses in a folder"
	}
	prompt.Input.Set(text)
	if selected {
		prompt.Input.Select()
	}
	return p.sc.Dialogs.Open(prompt)
}

// Browse lets the user choose the file for an action, starting in the folder of a typed path.
func (p *Palette) Browse(a *action.Action, typed string) tea.Cmd {
	f := dialog.NewFiles(paths.ExpandHome(filepath.Dir(paths.Unquote(typed) + "x")))
	f.Title, f.Endings = a.Name, a.Files
	f.Choose = func(path string) tea.Cmd { return p.Perform(a, "", path) }
	f.Type = func(folder string) tea.Cmd { return p.ask(a, folder, false) }
	return p.sc.Dialogs.Open(f)
}
