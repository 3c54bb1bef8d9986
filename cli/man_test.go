package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"pview/cli/command"
)

// The manual page has every command and flag, and only markup that man understands.
func TestManPage(t *testing.T) {
	a := newCommandLine(command.Streams{})
	root := a.root()
	page := manPage(root)
	for _, want := range []string{
		".TH PVIEW 1 ", ".B pview info TRACE\n", ".SH \"PVIEW CONVERT\"\n", `.B \-\-strict`,
		".SH EXIT STATUS\n.TP\n.B 0\ndone\n", ".B NO_COLOR\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("there is no %q", want)
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, ".") && !strings.Contains(" .TH .SH .B .br .TP .PP .nf .fi .RS .RE ",
			" "+strings.Fields(line)[0]+" ") {
			t.Errorf("the line %q is a request that is not ours", line)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff to ask")
	}
	cmd := exec.Command(groff, "-man", "-ww", "-Tutf8", "-z")
	cmd.Stdin = strings.NewReader(page)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Run(); err != nil || complaints.Len() > 0 {
		t.Errorf("groff says %v: %s", err, &complaints)
	}
}
