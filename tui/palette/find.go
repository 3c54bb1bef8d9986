package palette

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/notation"
)

// Finding a command by a typed text. Enter runs a command that starts with the text, or contains a word that does.
// Others that merely contain the text are listed below and run when chosen.

// aliases are other words for commands: from other tools, from vi, and for what a command shows.
var aliases = map[string]string{
	"flame": "call-stack", "exit": "quit", "x": "quit", "wq": "quit", "e": "open", "edit-window": "edit",
	"w": "session save", "write": "session save",
	"commands": "help", "keys": "help", "bookmark": "note", "bookmarks": "notes", "shell": "suspend",
	"refresh": "redraw",
	"table":   "analyze", "histogram": "analyze",
	"pop": "efficiency", "imbalance": "efficiency", "balance": "efficiency", "simulator": "simulate",
	"predict": "simulate", "dimemas": "simulate",
	"png": "export", "svg": "export", "pdf": "export", "html": "export", "picture": "export", "screenshot": "export",
	"print":    "export",
	"messages": "lines", "communication": "lines", "arrows": "lines", "bookmark-here": "note", "errors": "problems",
	"warnings": "problems",
	"jump":     "goto", "time": "goto", "back": "undo", "reset": "zoom all", "fit": "zoom all", "home": "zoom all",
	"windows":   "views",
	"view-menu": "views",
}

// tasks lists the questions of engineers, in the order in which an empty palette shows them: phrases, the first of
// which is shown, and the command.
var tasks = []struct {
	phrases []string
	command string
}{
	{[]string{"why is it slow", "what is wrong", "bottleneck", "diagnose"}, "workspace why"},
	{[]string{"who waits for whom", "late sender", "explain the wait at the cursor"}, "explain-wait"},
	{[]string{"where does the time go", "hot spots", "most expensive"}, "profile"},
	{[]string{"IPC, instructions and clock of the code", "counters", "frequency"}, "classes"},
	{[]string{"which rank differs", "outlier", "slowest process"}, "outlier"},
	{[]string{"efficiency and load balance", "POP factors", "scaling"}, "efficiency"},
	{[]string{"how much of what", "statistics", "count", "average"}, "workspace table"},
	{[]string{"who sends to whom", "matrix of messages", "links"}, "network"},
	{[]string{"what if the network were faster", "another machine", "predict", "bandwidth"}, "workspace what-if"},
	{[]string{"compare with another run", "what changed", "difference"}, "workspace compare"},
	{[]string{"threads or tasks", "nodes or CPUs", "group the rows"}, "level"},
	{[]string{"another view: MPI calls, functions, useful", "colour by"}, "views"},
	{[]string{"export a picture or page", "share", "screenshot"}, "export"},
	{[]string{"bookmarks and notes", "remember"}, "workspace notes"},
}

// asked returns the tasks that match a text: each word of the text begins a word of one of their phrases.
func asked(text string) (list []int) {
	words := strings.Fields(strings.ToLower(text))
	for i, t := range tasks {
		if slices.ContainsFunc(t.phrases, func(phrase string) bool {
			return !slices.ContainsFunc(words, func(word string) bool {
				return !slices.ContainsFunc(strings.Fields(strings.ToLower(phrase)), func(w string) bool {
					return strings.HasPrefix(w, word)
				})
			})
		}) {
			list = append(list, i)
		}
	}
	return list
}

// Called returns the action of a name, an alias or a former name; nil for none.
func (p *Palette) Called(name string) *action.Action {
	if a := p.Actions.Named(name); a != nil {
		return a
	}
	return p.Actions.Named(cmp.Or(aliases[name], p.Former[name]))
}

// fit is an action that matches a text.
type fit struct {
	action *action.Action
	weak   bool   // must be chosen to run
	task   string // that it answers; "" for none
}

// fitting lists the actions that match a text, those of the pane in focus first among equals.
func (p *Palette) fitting(text string) (list []fit) {
	seen := map[*action.Action]bool{}
	add := func(a *action.Action, weak bool) {
		if a != nil && !seen[a] {
			seen[a] = true
			list = append(list, fit{action: a, weak: weak})
		}
	}
	byTask := func() {
		for _, i := range asked(text) {
			n := len(list)
			if add(p.Actions.Named(tasks[i].command), false); len(list) > n {
				list[n].task = tasks[i].phrases[0]
			}
		}
	}
	if text == "" {
		byTask()
	}
	order := p.nearFirst()
	byName := dialog.Rank(text, len(order), func(i int) string { return order[i].Name })
	for _, i := range byName {
		if begins(order[i].Name, text) {
			add(order[i], false)
		}
	}
	if text != "" {
		for _, word := range sortedAliases {
			if strings.HasPrefix(word, strings.ToLower(text)) {
				add(p.Actions.Named(aliases[word]), false)
			}
		}
	}
	if text != "" {
		byTask()
	}
	for _, word := range slices.Sorted(maps.Keys(p.Former)) {
		if text != "" && begins(word, text) {
			add(p.Actions.Named(p.Former[word]), false)
		}
	}
	for _, i := range byName {
		add(order[i], true)
	}
	for _, a := range order {
		if notation.ContainsFold(a.Doc, text) {
			add(a, true)
		}
	}
	return list
}

// sortedAliases are the aliases in alphabetical order.
var sortedAliases = func() (list []string) {
	for word := range aliases {
		list = append(list, word)
	}
	slices.Sort(list)
	return list
}()

// begins reports whether a name, or one of its words, starts with a text.
func begins(name, text string) bool {
	name, text = strings.ToLower(name), strings.ToLower(strings.TrimSpace(text))
	return strings.HasPrefix(name, text) || strings.Contains(name, "-"+text) || strings.Contains(name, " "+text)
}

// nearFirst lists the actions, those of the pane in focus before the others.
func (p *Palette) nearFirst() []*action.Action {
	var near, far []*action.Action
	for _, a := range p.Actions.Each() {
		if a.Run == nil { // its choices are listed
			continue
		}
		if p.sc.Focused && a.Group == p.sc.Open.Title() {
			near = append(near, a)
		} else {
			far = append(far, a)
		}
	}
	return append(near, far...)
}

// nearest lists the three names that differ least from a typed one.
func (p *Palette) nearest(name string) []string {
	var names []string
	for _, a := range p.Actions.Each() {
		if a.Run != nil {
			names = append(names, a.Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return levenshtein.Distance(name, a, nil) - levenshtein.Distance(name, b, nil)
	})
	return names[:min(3, len(names))]
}
