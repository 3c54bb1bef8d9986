package tui

import (
	"cmp"
	"context"
	"path/filepath"
	"sync"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/semantic/series"
	"pview/tui/action"
	"pview/tui/desk"
	"pview/tui/dialog"
	"pview/tui/notation"
	"pview/tui/pane"
	"pview/tui/screen"
)

// Model is the whole program as Bubble Tea sees it: the traces and windows, where
// the user is among them, and what is going on in the background.
type Model struct {
	desk.Desk
	options Options
	recent  *recent
	ctx     context.Context // ends with the program; every background job hangs on it
	cancel  context.CancelFunc
	after   func(time.Duration, tea.Msg) tea.Cmd // tea.Tick, but for tests

	width, height int
	profile       raster.Profile
	ascii, dark   bool
	paraver       bool // data has the colours of the .pcf
	background    raster.Color
	theme         *style.Theme
	look          raster.Look

	cache *series.Cache
	gen   int // last generation given to a job

	queue      []loadRequest
	loading    *loading
	loadErrors []error
	starting   bool  // the traces named on the command line are being read
	fatal      error // why there is nothing to show
	restoring  *restoring
	openings   []opening // windows that wait for the default view

	dialogs      dialog.Host
	actions      *action.Table
	scene        pane.Scene
	panes        paneArea
	simulator    pane.Simulating                // one of panes
	speaker      speaker                        // one of panes
	follows      map[*timeline.Trace]*following // traces that are, or were, followed
	overviewOpen bool
	headlineOff  bool
	headlineAt   int  // the sentence that is shown next
	touched      bool // the user has pressed a key or clicked
	legendOpen   bool
	mouseOff     bool // the terminal's own selection of text works

	drag     drag
	tip      tip      // beside the pointer
	outliers outliers // of the window that was asked last
	rowOrder int      // that comes next
	anim     animation
	query    *notation.Query // what n and N look for
	finding  *finding
	writing  *writing // a trace that is being written
	writers  sync.WaitGroup

	ticking bool
	spin    spinner.Model        // turns with the ticks
	past    map[string]*[]string // earlier texts of the prompts, by action
	wrote   map[string]bool      // files that were written, by absolute path

	stops  screen.StopSignal
	wire   *screen.Wire // to the terminal; nil when Bubble Tea's renderer is to draw
	pixels screen.Pixels
	images []screen.Image // of the frame that is being drawn
	canvas raster.Canvas
	text   []byte
}

// New returns the program's model. It opens what the options name as soon as it
// runs.
func New(o Options) *Model {
	m := &Model{options: o, dark: true, overviewOpen: true, legendOpen: true, profile: raster.TrueColor,
		cache: series.NewCache(cmp.Or(o.Cache, cacheBudget)), past: map[string]*[]string{},
		follows: map[*timeline.Trace]*following{}, recent: readRecent(o.Recent)}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.ascii = screen.ASCII(environ(o))
	if o.ASCII != nil {
		m.ascii = *o.ASCII
	}
	if o.Dark != nil {
		m.dark = *o.Dark
	}
	if o.Profile != nil {
		m.profile = screen.Profile(*o.Profile)
	}
	m.after = func(d time.Duration, msg tea.Msg) tea.Cmd {
		return tea.Tick(d, func(time.Time) tea.Msg { return msg })
	}
	m.applyTheme()
	m.furnish()
	m.restyle()
	return m
}

// shut ends all background work.
func (m *Model) shut() {
	m.cancel()
	awaitWriters(m)
	if m.wire != nil {
		m.wire.Close()
	}
}

// restyle follows what is known of the terminal.
func (m *Model) restyle() {
	glyphs := raster.UTF8
	if m.ascii {
		glyphs = raster.ASCII
	}
	m.theme = style.NewTheme(m.profile, glyphs, m.dark, m.background)
	m.dialogs.Theme = m.theme
	m.spin = newSpinner(m.ascii)
	pictures := m.theme.ForPictures()
	if m.paraver {
		pictures = pictures.AsParaver()
	}
	m.look = raster.Look{Profile: m.profile, Glyphs: glyphs, Theme: pictures}
}

// Init is Bubble Tea's.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.start()}
	if m.options.Dark == nil {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if m.options.Profile == nil { // Bubble Tea takes the answers
		cmds = append(cmds, tea.RequestCapability("RGB"), tea.RequestCapability("Tc"))
	}
	if questions := m.pixels.Ask(); questions != "" && m.wire != nil {
		cmds = append(cmds, tea.Raw(questions))
	}
	return tea.Batch(cmds...)
}

// start opens what the options name.
func (m *Model) start() tea.Cmd {
	m.starting = true
	switch {
	case m.options.Session != "":
		return m.loadSession(m.options.Session)
	case len(m.options.Paths) > 0:
		var cmds []tea.Cmd
		for _, p := range m.options.Paths {
			cmds = append(cmds, m.load(p, nil))
		}
		return tea.Batch(cmds...)
	case m.options.Demo != nil:
		return m.load("", nil)
	}
	m.starting = false
	return nil
}

func (m *Model) backgroundIs(msg tea.BackgroundColorMsg) {
	if m.options.Dark != nil || msg.Color == nil {
		return
	}
	r, g, b, _ := msg.RGBA()
	m.background = raster.RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))
	m.dark = m.background.Luma() < 128
	m.restyle()
}

// press handles a key: an overlay has it first, then the pane in focus, then the
// table of actions.
func (m *Model) press(k tea.KeyPressMsg) tea.Cmd {
	m.scene.Messages.Clear()
	m.tip = tip{}
	if m.dialogs.Top() != nil {
		return m.dialogs.Top().Key(&m.dialogs, k)
	}
	key := k.String()
	offered := m.screen().offersHeadline()
	m.touched = true
	if key == "enter" && offered {
		return m.showHeadline()
	}
	if m.panes.open && m.PaneFocus {
		if a := m.actions.InPane(m.panes.current().Title(), key); a != nil {
			return m.perform(a, key, "")
		}
	}
	a := m.actions.ForKey(key)
	if a == nil {
		return nil
	}
	return m.perform(a, key, "")
}

// perform runs an action, by key or by name.
func (m *Model) perform(a *action.Action, key, args string) tea.Cmd {
	if a.NeedsView && m.Focused() == nil {
		if m.loading == nil {
			m.scene.Say("no trace is open: " + keysOf("open") + " opens one")
		}
		return nil
	}
	if a.KeyIsArg && args == "" {
		args = key
	}
	return a.Run(args)
}

// View is Bubble Tea's.
func (m *Model) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	if !m.mouseOff {
		v.MouseMode = tea.MouseModeAllMotion
	}
	v.WindowTitle = "pview"
	if w := m.Focused(); w != nil {
		v.WindowTitle = screen.Title("pview: " + w.Trace.Name)
	}
	if m.width <= 0 || m.height <= 0 {
		return v
	}
	m.canvas.Resize(m.width, m.height)
	m.stage()
	m.images = m.images[:0]
	cursor := m.screen().draw(m.canvas)
	if m.wire != nil {
		m.wire.Images(m.pixels.Graphics(), m.images)
		m.wire.Show(m.canvas, m.profile, m.screen().plots(), cursor != nil)
		v.Content = " "
	} else {
		m.text = screen.Append(m.text[:0], m.canvas, m.profile)
		v.Content = string(m.text)
	}
	if cursor != nil {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
	}
	return v
}

// plots lists the parts of the screen that show time.
func (m *screenModel) plots() []screen.Plot {
	var plots []screen.Plot
	l := m.layout()
	for i, w := range m.Windows {
		if p := l.windows[i].plot; p.H > 0 {
			axis := raster.Rect{X: p.X, Y: l.windows[i].axis.Y, W: p.W, H: l.windows[i].axis.H}
			if _, drawn := m.pixelated(w, p); !drawn {
				plots = append(plots, screen.Plot{ID: w.ID, Part: p, Begin: w.Begin, End: w.End})
			}
			plots = append(plots, screen.Plot{ID: -w.ID, Part: axis, Begin: w.Begin, End: w.End})
		}
	}
	return plots
}

func baseName(path string) string { return filepath.Base(path) }
