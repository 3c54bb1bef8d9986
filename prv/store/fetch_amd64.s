//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// func prefetch(first *current, threads *int32, n int)
TEXT ·prefetch(SB), NOSPLIT, $0-24
	MOVQ first+0(FP), SI
	MOVQ threads+8(FP), DI
	MOVQ n+16(FP), CX
	LEAQ (DI)(CX*4), CX

fetch:
	MOVLQSX (DI), AX
	IMULQ $current__size, AX
	PREFETCHT0 (SI)(AX*1)
	ADDQ $4, DI
	CMPQ DI, CX
	JLT fetch
	RET
