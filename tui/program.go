package tui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/render/style"
	"pview/render/timeline"
	"pview/tui/about"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/pane"
	"pview/tui/paths"
)

// The program itself: palette, help, problems, leaving.

var programActions = []deed{
	{Name: "palette", Group: groupProgram, Keys: []string{":"}, Doc: "type a command, with completion", Hint: "command",
		run: func(m *Model, _ string) tea.Cmd { return m.openPalette() }},
	{Name: "help", Group: groupProgram, Keys: []string{"?", "f1"}, Doc: "show this help", Hint: "help", run: openHelp},
	{Name: "info", Group: groupProgram, Keys: []string{"f7"}, Doc: "show the contents of the trace", needsWindow: true,
		run: openInfo},
	{Name: "problems", Group: groupProgram, Keys: []string{"!"},
		Doc: "show problems: skipped records by reason, full messages", run: openProblems},
	{Name: "memory", Group: groupProgram, Keys: []string{"f9"}, Doc: "show the memory in use and the budget (--memory)",
		run: tellMemory},
	{Name: "cancel", Group: groupProgram, Keys: []string{"esc"},
		Doc: "stop reading, searching or animation; else drop the selection", run: cancelAll},
	{Name: "redraw", Group: groupProgram, Keys: []string{"ctrl+l"}, Doc: "redraw the screen",
		run: func(*Model, string) tea.Cmd { return tea.ClearScreen }},
	{Name: "suspend", Group: groupProgram, Keys: []string{"ctrl+z"}, Doc: "suspend to the shell; fg resumes",
		run: suspend},
	{Name: "quit", Group: groupProgram, Keys: []string{"q", "ctrl+c"},
		Doc: "leave the program; the next start offers what was open", Hint: "quit", run: quit},
}

// suspend gives the terminal to the shell.
func suspend(m *Model, _ string) tea.Cmd {
	m.stops.Disarm()
	return tea.Suspend
}

// cancelAll stops the first of what is going on.
func cancelAll(m *Model, _ string) tea.Cmd {
	switch {
	case m.cancelLoading():
	case m.finding != nil:
		m.finding.cancel()
		m.finding = nil
		m.scene.Say("the search was stopped")
	case cancelWriting(m):
	case slices.ContainsFunc(m.Traces, (*timeline.Trace).StopSummary):
		m.scene.Say("the efficiency is not computed")
	case stopAnimation(m):
		m.scene.Say("the animation was stopped")
	case slices.ContainsFunc(m.panes.list, pane.Pane.Cancel):
	default:
		m.ClearMarks()
	}
	return nil
}

// openPalette opens the prompt for commands.
func (m *Model) openPalette() tea.Cmd {
	return m.dialogs.Open(&dialog.Prompt{
		Label: ":", Hint: "type a command", Past: m.pastOf("palette"),
		Suggest: m.suggestCommands,
		Resolve: m.resolveCommand,
		Accept:  func(text string) tea.Cmd { return m.command(text) },
	})
}

func (m *Model) pastOf(name string) *[]string {
	if m.past[name] == nil {
		m.past[name] = new([]string)
	}
	return m.past[name]
}

// command runs a line of the palette.
func (m *Model) command(text string) tea.Cmd {
	name, args, _ := strings.Cut(strings.TrimSpace(text), " ")
	if name == "" {
		return nil
	}
	a := m.called(name)
	if a == nil {
		return m.scene.Refuse(fmt.Errorf("no such command: %q; nearest: %s; %s lists all", name,
			strings.Join(m.nearest(name), ", "), keysOf("help")))
	}
	args = strings.TrimSpace(args)
	if args != "" && a.Args == "" {
		return m.scene.Refuse(fmt.Errorf("%s takes no argument", a.Name))
	}
	return m.perform(a, "", args)
}

func (m *Model) suggestCommands(text string) []dialog.Completion {
	name, args, more := strings.Cut(text, " ")
	if a := m.called(name); more && a != nil {
		return m.suggestArgs(a, strings.TrimLeft(args, " "), name+" ")
	}
	var offers []dialog.Completion
	for _, f := range m.fitting(text) {
		a := f.action
		o := dialog.Completion{Text: a.Name, Name: a.Name, Doc: a.Doc, Keys: m.theme.ASCII(action.JoinKeys(a.Keys)),
			Weak: f.weak}
		if a.Args != "" {
			o.Text, o.Name = o.Text+" ", o.Name+" "+a.Args
		}
		offers = append(offers, o)
	}
	return offers
}

// suggestArgs completes what follows an action's name.
func (m *Model) suggestArgs(a *action.Action, args, before string) []dialog.Completion {
	if a.Complete == nil {
		return nil
	}
	all := a.Complete(args)
	var offers []dialog.Completion
	for _, i := range dialog.Rank(args, len(all), func(i int) string { return all[i] }) {
		if all[i] != args {
			offers = append(offers, dialog.Completion{Text: before + all[i], Name: afterShared(all[i], args)})
		}
		if len(offers) == 300 {
			break
		}
	}
	return offers
}

// afterShared is what of a completion follows the words that are typed already.
func afterShared(text, typed string) string {
	if at := strings.LastIndexByte(typed, ' ') + 1; strings.HasPrefix(text, typed[:at]) && len(text) > at {
		return text[at:]
	}
	return text
}

// resolveCommand decides what Enter means: what is typed when it is a command,
// else the command that is chosen.
func (m *Model) resolveCommand(p *dialog.Prompt, text string) (string, bool) {
	name, _, more := strings.Cut(text, " ")
	a := m.called(name)
	if a != nil && !p.Moved {
		return text, false
	}
	if p.Chosen < 0 {
		return text, false
	}
	o := p.Completions[p.Chosen]
	switch {
	case o.Weak && !p.Moved:
		return text, false
	case more:
		return o.Text, false
	}
	a = m.actions.Named(strings.TrimSpace(o.Text))
	return o.Text, a != nil && a.NeedsArgs()
}

// promptFor asks for what follows an action's name.
func (m *Model) promptFor(name string) tea.Cmd {
	a := m.actions.Named(name)
	text := ""
	if a.Prefill != nil {
		text = a.Prefill()
	}
	return m.promptWith(a, text, true)
}

// promptWith is promptFor with a text to begin with, which is selected or goes on.
func (m *Model) promptWith(a *action.Action, text string, selected bool) tea.Cmd {
	name := a.Name
	p := &dialog.Prompt{
		Label: a.Name + " ", Hint: a.Args + "  " + a.Doc, Past: m.pastOf(name),
		Suggest: func(text string) []dialog.Completion { return m.suggestArgs(a, text, "") },
		Accept: func(text string) tea.Cmd {
			switch {
			case a.Typed != nil:
				return a.Typed(text)
			case text == "":
				m.scene.Say(a.Name + " needs " + a.Args)
				return nil
			}
			return m.perform(a, "", text)
		},
	}
	if a.PromptAs != nil {
		label, hint := a.PromptAs()
		p.Label, p.Hint = orElse(label, p.Label), orElse(hint, p.Hint)
	}
	if a.Files != nil {
		p.Browse = func(text string) tea.Cmd { return m.browse(a, text) }
		p.Hint += "  " + action.KeyLabel(dialog.BrowseKey) + " chooses in a folder"
	}
	p.Input.Set(text)
	if selected {
		p.Input.Select()
	}
	return m.dialogs.Open(p)
}

// browse lets the user choose the file for an action, beginning in the folder that was typed.
func (m *Model) browse(a *action.Action, typed string) tea.Cmd {
	f := dialog.NewFiles(paths.ExpandHome(filepath.Dir(unquote(typed) + "x")))
	f.Title, f.Endings = a.Name, a.Files
	f.Choose = func(path string) tea.Cmd { return m.perform(a, "", path) }
	f.Type = func(folder string) tea.Cmd { return m.promptWith(a, folder, false) }
	return m.dialogs.Open(f)
}

// hintOrder is the actions that the status line names, the first ones where there is
// little room.
var hintOrder = []string{"search", "views", "ask", "pan-left", "zoom-in", "goto", "undo", "select", "filter",
	"simulate", "level", "lines", "draw-mode", "color", "cursor-right", "full", "zoom-selection"}

// hints are the keys and words of the status line: those that depend on what the
// user is at, and those that always stand at the right.
func (m *screenModel) hints() (left, right [][2]string) {
	for _, name := range []string{"palette", "help", "quit"} {
		right = append(right, [2]string{keysOf(name), m.actions.Named(name).Hint})
	}
	if len(m.Windows) == 0 {
		return [][2]string{{keysOf("open"), "open"}}, right
	}
	if m.PaneFocus {
		return m.panes.current().Hints(), right
	}
	if _, _, ok := m.Selection(); ok {
		return [][2]string{{"z", "zoom"}, {"Z", "zoom on rows too"}, {"Space", "end of selection"}, {"`", "other mark"},
			{"Esc", "drop"}}, right
	}
	for _, name := range hintOrder {
		if name == "ask" && m.offersHeadline() {
			continue // Enter does what the headline says
		}
		a := m.actions.Named(name)
		keys := a.HintKeys
		if keys == "" {
			keys = m.actions.KeysOf(name)
		}
		left = append(left, [2]string{keys, a.Hint})
	}
	return left, right
}

func openInfo(m *Model, _ string) tea.Cmd {
	t := m.Focused().Trace
	return m.dialogs.Open(&dialog.Pager{Title: t.Name, Layout: func(th *style.Theme, width int) []style.Line {
		return about.InfoLines(t, th, width)
	}})
}

// openProblems shows what was wrong with a trace's files.
func openProblems(m *Model, _ string) tea.Cmd {
	var t *timeline.Trace
	if w := m.Focused(); w != nil {
		t = w.Trace
	}
	if len(m.loadErrors) == 0 && len(m.scene.Messages.Log) == 0 && (t == nil || !about.Troubled(t.Data)) {
		m.scene.Say("no problems")
		return nil
	}
	return m.dialogs.Open(&dialog.Pager{Title: "Problems", Layout: func(th *style.Theme, width int) []style.Line {
		var lines []style.Line
		if t != nil && about.Troubled(t.Data) {
			lines = about.ProblemLines(t.Data, th, width)
		}
		lines = append(lines, about.TextLines("Traces that could not be read", m.loadErrors, th, width)...)
		return append(lines, about.TextLines("Messages", m.scene.Messages.Log, th, width)...)
	}})
}

// tellProblems says once, when a trace is opened, that it is not whole.
func (m *Model) tellProblems(t *timeline.Trace) {
	if text := about.ProblemText(t.Data); text != "" {
		m.scene.Say(fmt.Sprintf("%s: %s; %s shows why", t.Name, text, keysOf("problems")))
	} else if list := t.Data.Doubtful(); len(list) > 0 {
		m.scene.Say(fmt.Sprintf("%s (%s shows all)", list[0], keysOf("problems")))
	} else if n := len(t.Data.Notes); n > 0 {
		m.scene.Say(fmt.Sprintf("%s (%s shows all)", t.Data.Notes[0].String(), keysOf("problems")))
	}
}
