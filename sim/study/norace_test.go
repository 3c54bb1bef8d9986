//go:build !race

package study_test

const watched = false
