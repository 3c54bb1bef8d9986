// Package slurm runs a study as one job array of Slurm: each element computes a shard of the runs into its own store,
// on a file system shared by all hosts. Progress is read from these stores, never from Slurm: an element that ended
// with runs missing was lost, for whatever reason (a failed node, its time limit, a kill), and is resubmitted. It
// resumes where its store ends.
//
// The package knows nothing of simulations: it only needs a command, and the number of runs that each shard lacks.
package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	shellquote "github.com/kballard/go-shellquote"

	"pview/sim/study/command"
)

// Array is a job array.
type Array struct {
	Name string
	// Command computes a shard; --shard=K/N is added, with K from 0.
	Command []string
	Shards  int
	Options []string // for sbatch, such as -p short
	Dir     string   // for the script and the elements' output; same path on all hosts
	// Left returns the number of runs that each shard lacks. It is called repeatedly while they run.
	Left func() ([]int, error)
	// Progress is called after every query of the queue; nil: not called.
	Progress func(Status)
	// Every is the time between two queries of the queue; 0: two seconds.
	Every time.Duration

	call caller // nil: a process
}

// caller runs a program of Slurm and returns what it prints.
type caller func(ctx context.Context, program string, args ...string) (string, error)

// Status counts the elements of an array.
type Status struct {
	Pending, Running, Done int
	Resubmitted            int // resubmissions of elements
	Left                   int // missing runs
}

func (s Status) String() string {
	text := fmt.Sprintf("%d pending, %d running, %d done; %d runs left", s.Pending, s.Running, s.Done, s.Left)
	if s.Resubmitted > 0 {
		text += fmt.Sprintf("; %d resubmitted", s.Resubmitted)
	}
	return text
}

// Available reports in one line what prevents job arrays here; nil if nothing.
func Available() error {
	for _, tool := range []string{"sbatch", "squeue", "scancel"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf(
				"no Slurm on this host: %s is not in PATH; run on a login node of a cluster with Slurm, or here "+
					"without --on slurm", tool)
		}
	}
	return nil
}

// reserved are the options of sbatch that an array sets itself.
var reserved = []string{"--array", "-a", "--parsable", "--wait", "-W", "--wrap"}

// ParseOptions reads options for sbatch as a shell would: -p short --comment 'a study'.
func ParseOptions(text string) ([]string, error) {
	list, err := shellquote.Split(text)
	if err != nil {
		return nil, fmt.Errorf("options for sbatch: %w", err)
	}
	for _, o := range list {
		if name, _, _ := strings.Cut(o, "="); slices.Contains(reserved, name) {
			return nil, fmt.Errorf("options for sbatch: %s is set by pview itself", name)
		}
	}
	return list, nil
}

// process calls a program of Slurm. Its error is the first line that it prints on standard error.
func process(ctx context.Context, program string, args ...string) (string, error) {
	var out, problems bytes.Buffer
	wait, err := command.Start(exec.CommandContext(ctx, program, args...), &out, &problems)
	if err == nil {
		err = wait()
	}
	if errors.As(err, new(*exec.ExitError)) {
		line, _, _ := strings.Cut(strings.TrimSpace(problems.String()), "\n")
		err = fmt.Errorf("%s: %s", program, strings.TrimPrefix(line, program+": error: "))
	}
	return out.String(), err
}

// script computes the shard of an element.
func (a *Array) script() string {
	return fmt.Sprintf("#!/bin/sh\nexec %s --shard=\"$SLURM_ARRAY_TASK_ID/%d\"\n", shellquote.Join(a.Command...),
		a.Shards)
}

// output returns the file with the output of shard i.
func (a *Array) output(i int) string { return filepath.Join(a.Dir, fmt.Sprintf("shard-%d.out", i)) }

// submit submits some shards as one job array and returns its number.
func (a *Array) submit(ctx context.Context, list []int) (job string, err error) {
	script := filepath.Join(a.Dir, "array.sh")
	if err := os.WriteFile(script, []byte(a.script()), 0o755); err != nil {
		return "", err
	}
	args := append([]string{"--parsable", "--job-name=" + a.Name, "--output=" + filepath.Join(a.Dir, "shard-%a.out")},
		a.Options...)
	out, err := a.call(ctx, "sbatch", append(args, "--array="+ranges(list), script)...)
	if err != nil {
		return "", err
	}
	job, _, _ = strings.Cut(strings.TrimSpace(out), ";") // the name of the cluster may follow
	if job == "" {
		return "", errors.New("sbatch printed no job number")
	}
	return job, nil
}

// ranges writes ascending numbers as sbatch takes them: 0-3,7.
func ranges(list []int) string {
	var b strings.Builder
	for i := 0; i < len(list); {
		k := i
		for k+1 < len(list) && list[k+1] == list[k]+1 {
			k++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, list[i])
		if k > i {
			fmt.Fprintf(&b, "-%d", list[k])
		}
		i = k + 1
	}
	return b.String()
}
