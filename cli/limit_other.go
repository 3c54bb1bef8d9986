//go:build !unix

package cli

// ignoreFileLimit does nothing on this system.
func ignoreFileLimit() {}
