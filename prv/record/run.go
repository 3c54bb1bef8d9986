package record

// Starting a program with the library.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Settings are the settings of a recording.
type Settings struct {
	Folder   string // absolute
	Library  string
	Launcher string // flavour, from LauncherOf
	Buffer   int64  // bytes in memory per thread; 0: 4 MiB
	Limit    int64  // bytes of a thread's file; 0: unlimited
	CPUTime  bool   // record CPU times
	Callers  int    // levels of call stacks at calls
	// Counters are names of CounterNames.
	Counters []string
	// Recording begins when both are reached:
	After time.Duration // since MPI_Init
	From  int           // iteration, from 1: the n-th region of that name; 0: any
}

// variables returns the settings in the program's environment.
func (s *Settings) variables() (list []string) {
	list = append(list, "PVIEW_RECORD_DIR="+s.Folder)
	if s.Buffer > 0 {
		list = append(list, "PVIEW_RECORD_BUFFER="+strconv.FormatInt(s.Buffer, 10))
	}
	if s.Limit > 0 {
		list = append(list, "PVIEW_RECORD_LIMIT="+strconv.FormatInt(s.Limit, 10))
	}
	if s.CPUTime {
		list = append(list, "PVIEW_RECORD_CPU=1")
	}
	if s.Callers > 0 {
		list = append(list, "PVIEW_RECORD_CALLERS="+strconv.Itoa(s.Callers))
	}
	if len(s.Counters) > 0 {
		list = append(list, "PVIEW_RECORD_COUNTERS="+counterVariable(s.Counters))
	}
	if s.After > 0 {
		list = append(list, "PVIEW_RECORD_AFTER="+strconv.FormatInt(s.After.Nanoseconds(), 10))
	}
	if s.From > 0 {
		list = append(list, "PVIEW_RECORD_FROM="+strconv.Itoa(s.From))
	}
	return list
}

// Command returns the command that runs a program with the library. Launchers get options that pass the library on to
// all nodes, and do not load it themselves; other commands get it in their environment.
func (s *Settings) Command(args []string) *exec.Cmd {
	preload := "LD_PRELOAD=" + s.Library
	if before := os.Getenv("LD_PRELOAD"); before != "" {
		preload += ":" + before
	}
	list := append(s.variables(), preload)
	name, rest := args[0], args[1:]
	var own []string
	switch s.Launcher {
	case OpenMPI:
		for _, v := range list {
			own = append(own, "-x", v)
		}
		list = nil
		// Each of several programs needs its own options: ranks without the recorder would miss its messages.
		for i := len(rest) - 1; i >= 0; i-- {
			if rest[i] == ":" {
				rest = slices.Concat(rest[:i+1], own, rest[i+1:])
			}
		}
	case MPICH:
		for _, v := range list {
			key, value, _ := strings.Cut(v, "=")
			own = append(own, "-genv", key, value)
		}
		list = nil
	}
	if baseName(name) == "srun" {
		rest = slices.Clone(rest)
		list = exportAlso(rest, list)
	}
	cmd := exec.Command(name, append(own, rest...)...)
	cmd.Env = append(os.Environ(), list...)
	return cmd
}

// LauncherOf returns the flavour of MPI that a launcher belongs to, "" if it is not a known launcher.
func LauncherOf(ctx context.Context, name string) string {
	if !isLauncher(baseName(name)) {
		return ""
	}
	out, _ := exec.CommandContext(ctx, name, "--version").CombinedOutput()
	switch text := string(out); {
	case strings.Contains(text, "Open MPI"), strings.Contains(text, "OpenRTE"):
		return OpenMPI
	case strings.Contains(text, "HYDRA"), strings.Contains(text, "Intel(R) MPI"):
		return MPICH
	}
	return ""
}

// Mismatch returns a message if a launcher belongs to another MPI library than the program, "" if not: with such a
// launcher, ranks do not find each other.
func Mismatch(launcher string, args []string) string {
	program := flavourOf(args[1:])
	if launcher == "" || program == "" || launcher == program {
		return ""
	}
	return fmt.Sprintf("%s is a launcher of %s, and %s is linked with %s: each rank runs alone", args[0], launcher,
		ProgramName(args[1:]), program)
}

// exportAlso adds the names of variables to the lists of exported variables in srun's arguments and environment, and
// returns the changed environment. By default srun exports everything.
func exportAlso(args, list []string) []string {
	const flag, variable = "--export", "SLURM_EXPORT_ENV"
	var names []string
	for _, v := range list {
		key, _, _ := strings.Cut(v, "=")
		names = append(names, key)
	}
	with := func(exported string) string {
		switch own := strings.Split(exported, ","); {
		case exported == "" || slices.Contains(own, "ALL"):
			return exported
		case slices.Contains(own, "NONE") || slices.Contains(own, "NIL"):
			return strings.Join(names, ",")
		}
		return exported + "," + strings.Join(names, ",")
	}
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, flag+"="); ok {
			args[i] = flag + "=" + with(value)
			return list
		}
		if arg == flag && i+1 < len(args) {
			args[i+1] = with(args[i+1])
			return list
		}
		if _, err := exec.LookPath(arg); err == nil { // what follows belongs to the program
			break
		}
	}
	if value := os.Getenv(variable); value != "" {
		list = append(list, variable+"="+with(value))
	}
	return list
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// ProgramName returns the name of the program that a command line runs: the first argument that is linked with an MPI
// library, else the first that is a program but not a launcher, else "run".
func ProgramName(args []string) string {
	found := ""
	for i, arg := range args {
		if flavourOf(args[i:i+1]) != "" {
			return baseName(arg)
		}
		if found == "" && !isLauncher(baseName(arg)) && baseName(arg) != "srun" && !strings.HasPrefix(arg, "-") {
			if _, err := exec.LookPath(arg); err == nil {
				found = baseName(arg)
			}
		}
	}
	if found == "" {
		return "run"
	}
	return found
}

// Wait waits for a program and returns its exit status like a shell.
func Wait(cmd *exec.Cmd) (int, error) {
	err := cmd.Wait()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return 0, err
	}
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}
