//go:build race

package study_test

// watched says that the race detector is on, under which simulations take ten times as long: tests of sizes are smaller
// then.
const watched = true
