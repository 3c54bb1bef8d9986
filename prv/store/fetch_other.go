//go:build !amd64 || purego

package store

func (p *packer) fetch([]int32) {}
