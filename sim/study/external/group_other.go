//go:build !unix

package external

import (
	"os"
	"os/exec"
)

// grouped does nothing: there are no process groups.
func grouped(*exec.Cmd, *os.File) {}

// suspended waits; the command itself keeps running.
func suspended(_ *exec.Cmd, hold func()) { hold() }
