package slurm

import (
	"context"
	"strconv"
	"strings"
)

// phase is the state of an element in the queue, simplified.
type phase uint8

const (
	gone phase = iota // ended, or no longer known to Slurm
	pending
	running
	cancelled // by a user or operator
)

// phases are the states of squeue; unlisted states mean ended. A suspended, stopped or requeued element will continue.
var phases = map[string]phase{
	"PENDING": pending, "REQUEUED": pending, "REQUEUE_HOLD": pending, "REQUEUE_FED": pending, "SPECIAL_EXIT": pending,
	"RESV_DEL_HOLD": pending,
	"CONFIGURING":   running, "RUNNING": running, "COMPLETING": running, "RESIZING": running, "SIGNALING": running,
	"STAGE_OUT": running,
	"STOPPED":   running, "SUSPENDED": running,
	"CANCELLED": cancelled, "REVOKED": cancelled,
}

// queue asks Slurm for the elements of a job array. Elements no longer listed are gone.
func (a *Array) queue(ctx context.Context, job string) (map[int]phase, error) {
	out, err := a.call(ctx, "squeue", "--noheader", "--array", "--states=all", "--jobs="+job, "--format=%K|%T")
	if err != nil && strings.Contains(err.Error(), "Invalid job id") { // forgotten, minutes after its end
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := map[int]phase{}
	for line := range strings.Lines(out) {
		number, state, _ := strings.Cut(strings.TrimSpace(line), "|")
		if i, err := strconv.Atoi(number); err == nil {
			list[i] = phases[state]
		}
	}
	return list, nil
}
