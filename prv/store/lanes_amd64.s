//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// See lanes.go for what these functions do, and putPlain there for the same in Go.

// The even numbers of eight.
DATA evenNumbers<>+0(SB)/8, $0x0000000200000000
DATA evenNumbers<>+8(SB)/8, $0x0000000600000004
DATA evenNumbers<>+16(SB)/8, $0x0000000200000000
DATA evenNumbers<>+24(SB)/8, $0x0000000600000004
GLOBL evenNumbers<>(SB), RODATA|NOPTR, $32

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

// Four events: their time is in Y0.
#define FOUR_EVENTS(pairs, rows, types) \
	VMOVDQU pairs(SI), Y1; \
	VPSRLQ $32, Y1, Y2; \
	VPERMD Y1, Y15, Y1; \
	VMOVDQU Y0, rows(R11); \
	VMOVDQU Y2, rows(R12); \
	VMOVDQU X1, types(R13)

// func putAVX2(c *laneColumns, b *uint32, n int) (done int)
//
//	DI events of threads  DX states of threads  SI record  R14 end of the block
//	BX thread  R8 time  R9 row  CX events that are left  R11 R12 R13 where times, values and types go
TEXT ·putAVX2(SB), NOSPLIT, $0-32
	MOVQ c+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ n+16(FP), CX
	LEAQ (SI)(CX*4), R14
	LEAQ laneColumns_states(DI), DX
	VMOVDQU evenNumbers<>(SB), Y15

record:
	CMPQ SI, R14
	JGE done
	MOVL (SI), AX
	MOVBLZX AX, BX
	MOVQ 4(SI), R8
	TESTL $const_isEvent, AX
	JZ state

	// Events: the columns must have room.
	MOVL AX, CX
	SHRL $const_eventsShift, CX
	IMULQ $laneEvents__size, BX
	ADDQ DI, BX
	MOVQ laneEvents_next(BX), R9
	LEAQ (R9)(CX*1), R10
	CMPQ R10, laneEvents_rows(BX)
	JGT done
	MOVQ R10, laneEvents_next(BX)

	// The first of a line.
	SHRL $9, AX
	ANDL $1, AX
	SHLXQ R9, AX, AX
	MOVQ laneEvents_lines(BX), R11
	MOVQ R9, R12
	SHRQ $6, R12
	ORQ AX, (R11)(R12*8)

	// The columns of a lane do not fit the first cache, and their next lines are in none: these are loaded before they are needed.
	MOVQ laneEvents_time(BX), R11
	LEAQ (R11)(R9*8), R11
	PREFETCHT0 64(R11)
	MOVQ laneEvents_value(BX), R12
	LEAQ (R12)(R9*8), R12
	PREFETCHT0 64(R12)
	MOVQ laneEvents_typ(BX), R13
	LEAQ (R13)(R9*4), R13
	PREFETCHT0 64(R13)
	ADDQ $12, SI

	// Four at a time, where what is stored behind the last is in the columns of the thread (a later record is stored there), and what is read behind
	// it is in the block: there is room for usualPairs numbers.
	CMPQ CX, $8
	JGT one
	LEAQ 3(CX), R10
	ANDQ $-4, R10
	ADDQ R9, R10
	CMPQ R10, laneEvents_rows(BX)
	JGT one
	VMOVQ R8, X0
	VPBROADCASTQ X0, Y0
	FOUR_EVENTS(0, 0, 0)
	LEAQ (SI)(CX*8), R10
	CMPQ CX, $4
	JLE next
	FOUR_EVENTS(32, 32, 16)

next:
	MOVQ R10, SI
	JMP record

one:
	MOVL (SI), AX
	MOVL 4(SI), BX
	MOVQ R8, (R11)
	MOVQ BX, (R12)
	MOVL AX, (R13)
	ADDQ $8, SI
	ADDQ $8, R11
	ADDQ $8, R12
	ADDQ $4, R13
	DECQ CX
	JNZ one
	JMP record

state:
	IMULQ $laneStates__size, BX
	ADDQ DX, BX
	MOVQ laneStates_next(BX), R9
	CMPQ R9, laneStates_rows(BX)
	JGE done
	INCQ laneStates_next(BX)
	MOVQ laneStates_begin(BX), R11
	MOVQ R8, (R11)(R9*8)
	PREFETCHT0 64(R11)(R9*8)
	MOVL 12(SI), AX
	SUBL R8, AX
	ADDQ R8, AX
	MOVQ laneStates_end(BX), R12
	MOVQ AX, (R12)(R9*8)
	PREFETCHT0 64(R12)(R9*8)
	MOVL 16(SI), AX
	MOVQ laneStates_value(BX), R13
	MOVL AX, (R13)(R9*4)
	PREFETCHT0 64(R13)(R9*4)
	ADDQ $20, SI
	JMP record

done:
	SUBQ b+8(FP), SI
	SHRQ $2, SI
	MOVQ SI, done+24(FP)
	VZEROUPPER
	RET
