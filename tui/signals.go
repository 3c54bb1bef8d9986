package tui

import (
	"context"
	"os/signal"
	"syscall"
)

// withHangup returns a context that ends when the terminal goes away. Bubble Tea
// itself handles SIGINT, SIGTERM and SIGTSTP, but not SIGHUP, which would kill
// the process with the terminal still in raw mode: a multiplexer may hand that
// terminal to the next program.
func withHangup(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, syscall.SIGHUP)
}
