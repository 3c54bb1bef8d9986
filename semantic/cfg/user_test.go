package cfg

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/expr"
)

// TestUserFunctionsAreKept: a file with expressions reads back as written, whatever their text, and Paraver finds
// functions of its own in their place.
func TestUserFunctionsAreKept(t *testing.T) {
	user := func(text string) semantic.Call {
		return semantic.Call{Name: semantic.UserFunction, Expression: text}
	}
	w := semantic.DefaultWindow()
	w.Name, w.Level = "mine", prv.LevelTask
	w.Functions[prv.LevelThread] = user("state == 1 && // a remark\n\tvalue in [1, 2] ? \"a\" == 'b' : 0")
	w.Functions[prv.LevelTask] = user("count(values, # > 0) / n")
	w.Functions[prv.LevelCPU] = user("max(values)")
	w.Compose[prv.LevelTask] = user("value * 2")
	w.Top2 = user("")
	w.Extra = []semantic.Call{{Name: "Sign"}, user("value + 1"), {}, user("value + 2")}
	var out bytes.Buffer
	f := &File{Version: currentVersion, Windows: []*Window{NewWindow(w)}}
	if err := Write(&out, f); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"{thread, State As Is}", "{cpu, Active Thd}", "{task, Adding}", "{compose_task, As Is}", "{topcompose2, As Is}",
		"{extratopcompose1, Sign}, {extratopcompose1, As Is}, ",
		"\npview_user_function task \"count(values, # > 0) / n\"\n",
		"\npview_user_function extratopcompose1 2 \"value + 1\"\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, semantic.UserFunction) {
		t.Errorf("Paraver finds a function that it does not have:\n%s", text)
	}
	g, notes, err := Read("mine.cfg", &out)
	if err != nil || len(notes) > 0 {
		t.Fatal(notes, err)
	}
	if !g.Equal(f) {
		t.Errorf("got %+v\nwant %+v", g.Windows[0].Window, w)
	}
}

// TestUserFunctionLines: expressions may come without quotes and before the functions; an error names line and reason;
// a place that does not exist is noted, and kept.
func TestUserFunctionLines(t *testing.T) {
	read := func(lines string) (*File, []prv.Note, error) {
		return Read("f.cfg", strings.NewReader("#ParaverCFG\nwindow_name w\nwindow_type single\n"+lines+
			"\nwindow_selected_functions { 1, { {thread, Useful} } }\n"))
	}
	f, notes, err := read("pview_user_function thread state == 2 ? 5 : 0")
	if err != nil || len(notes) > 0 || f.Windows[0].Functions[prv.LevelThread].Expression != "state == 2 ? 5 : 0" {
		t.Errorf("%v %v", notes, err)
	}
	_, _, err = read(`pview_user_function thread "state == vlaue"`)
	var wrong *expr.Error
	var at *prv.FileError
	if !errors.As(err, &wrong) || !errors.As(err, &at) || !strings.HasPrefix(err.Error(),
		`f.cfg:4: pview_user_function: column 10: unknown name "vlaue"; known: value, `) {
		t.Errorf("%v", err)
	}
	if _, _, err = read("pview_user_function extratopcompose1 value"); err == nil {
		t.Error("an extra compose without number")
	}
	f, notes, err = read("pview_user_function extratopcompose1 3 value")
	if err != nil || len(notes) != 1 || len(f.Windows[0].Other) != 1 {
		t.Errorf("%v %v", notes, err)
	}
}

// TestOwnFunctionsAreKept: a function that only pview has reads back as written, and Paraver finds one of its own in
// its place. An unknown one is noted.
func TestOwnFunctionsAreKept(t *testing.T) {
	f := &File{Version: currentVersion, Windows: []*Window{NewWindow(semantic.ThreadWindow("Late Sender"))}}
	var out bytes.Buffer
	if err := Write(&out, f); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if !strings.Contains(text, "{thread, State As Is}") ||
		!strings.Contains(text, "\npview_function thread \"Late Sender\"\n") {
		t.Errorf("got\n%s", text)
	}
	if list := StandIns(f); len(list) != 1 || list[0] != (StandIn{"Late Sender", "Late Sender", "State As Is"}) {
		t.Errorf("stand-ins %+v", list)
	}
	g, notes, err := Read("late.cfg", strings.NewReader(text))
	if err != nil || len(notes) > 0 || !g.Equal(f) {
		t.Errorf("%v, %v, got %+v", notes, err, g.Windows[0].Functions)
	}
	g, notes, err = Read("late.cfg", strings.NewReader(strings.ReplaceAll(text, `"Late Sender"`, `"Early Sender"`)))
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0].String(), "State As Is is used") ||
		g.Windows[0].Functions[prv.LevelThread].Name != "State As Is" {
		t.Errorf("%v, %v", notes, err)
	}
}
