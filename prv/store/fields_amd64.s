//go:build !purego

#include "textflag.h"

// See fields.go for what these functions do, and splitPlain and readPlain there for the same in Go.

// Bytes that are all the same.
DATA zeroDigits<>+0(SB)/8, $0x3030303030303030
GLOBL zeroDigits<>(SB), RODATA|NOPTR, $8
DATA nines<>+0(SB)/8, $0x0909090909090909
GLOBL nines<>(SB), RODATA|NOPTR, $8
DATA newlines<>+0(SB)/8, $0x0a0a0a0a0a0a0a0a
GLOBL newlines<>(SB), RODATA|NOPTR, $8
DATA colons<>+0(SB)/8, $0x3a3a3a3a3a3a3a3a
GLOBL colons<>(SB), RODATA|NOPTR, $8

// What digits, pairs of digits, and fours of digits are multiplied with before neighbours are added.
DATA tens<>+0(SB)/8, $0x010a010a010a010a
GLOBL tens<>(SB), RODATA|NOPTR, $8
DATA hundreds<>+0(SB)/8, $0x0001006400010064
GLOBL hundreds<>(SB), RODATA|NOPTR, $8
DATA tenThousands<>+0(SB)/8, $0x0001271000012710
GLOBL tenThousands<>(SB), RODATA|NOPTR, $8
DATA hundredMillion<>+0(SB)/8, $100000000
GLOBL hundredMillion<>(SB), RODATA|NOPTR, $8

// From byte n on: the mask that leaves of 16 characters the values of the last n digits.
DATA lastDigits<>+0(SB)/8, $0
DATA lastDigits<>+8(SB)/8, $0
DATA lastDigits<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA lastDigits<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL lastDigits<>(SB), RODATA|NOPTR, $32

// The difference of two ends of which the field between has 16 digits.
DATA seventeen<>+0(SB)/4, $17
GLOBL seventeen<>(SB), RODATA|NOPTR, $4

// One end of a field: the lowest bit of AX, which is cleared.
#define END(at) \
	TZCNTQ AX, R14; \
	ADDL R8, R14; \
	MOVL R14, at(DI); \
	BLSRQ AX, AX

#define EIGHT_ENDS(at) \
	END(at+0); \
	END(at+4); \
	END(at+8); \
	END(at+12); \
	END(at+16); \
	END(at+20); \
	END(at+24); \
	END(at+28)

// func splitAVX2(text *byte, n int, at uint32, ends, lines, odd *uint32) (fields, nLines, nOdd int)
//
//	SI text  DX bytes left  R8 position  DI ends  R9 lines  R10 odd  R11 1 where the byte before is no digit
//	R12 fields
//	AX bytes that are no digit  BX newlines  CX colons
TEXT ·splitAVX2(SB), NOSPLIT, $0-72
	MOVQ text+0(FP), SI
	MOVQ n+8(FP), DX
	MOVL at+16(FP), R8
	MOVQ ends+24(FP), DI
	MOVQ lines+32(FP), R9
	MOVQ odd+40(FP), R10
	MOVQ $1, R11
	XORQ R12, R12
	VPBROADCASTQ zeroDigits<>(SB), Y12
	VPBROADCASTQ nines<>(SB), Y13
	VPBROADCASTQ newlines<>(SB), Y14
	VPBROADCASTQ colons<>(SB), Y15

next:
	CMPQ DX, $0
	JLE done
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1

	VPSUBB Y12, Y0, Y2
	VPSUBB Y12, Y1, Y3
	VPMINUB Y13, Y2, Y4
	VPMINUB Y13, Y3, Y5
	VPCMPEQB Y4, Y2, Y4
	VPCMPEQB Y5, Y3, Y5
	VPMOVMSKB Y4, AX
	VPMOVMSKB Y5, R13
	SHLQ $32, R13
	ORQ R13, AX
	NOTQ AX

	VPCMPEQB Y14, Y0, Y2
	VPCMPEQB Y14, Y1, Y3
	VPMOVMSKB Y2, BX
	VPMOVMSKB Y3, R13
	SHLQ $32, R13
	ORQ R13, BX

	VPCMPEQB Y15, Y0, Y2
	VPCMPEQB Y15, Y1, Y3
	VPMOVMSKB Y2, CX
	VPMOVMSKB Y3, R13
	SHLQ $32, R13
	ORQ R13, CX

	CMPQ DX, $64
	JLT partly

whole:
	// Odd are bytes that are neither digit nor separator, and separators without a digit before them.
	ORQ BX, CX
	ANDNQ AX, CX, CX
	LEAQ (R11)(AX*2), R13
	ANDQ AX, R13
	ORQ R13, CX
	MOVQ AX, R11
	SHRQ $63, R11
	TESTQ CX, CX
	JNZ strange

ordinary:
	// Two lines are stored in any case: more rarely end in 64 bytes.
	POPCNTQ BX, CX
	BLSMSKQ BX, R13
	ANDQ AX, R13
	POPCNTQ R13, R13
	ADDL R12, R13
	MOVL R13, (R9)
	BLSRQ BX, BX
	BLSMSKQ BX, R13
	ANDQ AX, R13
	POPCNTQ R13, R13
	ADDL R12, R13
	MOVL R13, 4(R9)
	CMPQ CX, $2
	JGT manyLines
	LEAQ (R9)(CX*4), R9

fields:
	POPCNTQ AX, R13
	EIGHT_ENDS(0)
	END(32)
	END(36)
	END(40)
	END(44)
	CMPQ R13, $12
	JLE stored
	END(48)
	END(52)
	END(56)
	END(60)
	CMPQ R13, $16
	JLE stored
	EIGHT_ENDS(64)
	CMPQ R13, $24
	JLE stored
	EIGHT_ENDS(96)
	CMPQ R13, $32
	JLE stored
	EIGHT_ENDS(128)
	EIGHT_ENDS(160)
	EIGHT_ENDS(192)
	EIGHT_ENDS(224)

stored:
	LEAQ (DI)(R13*4), DI
	ADDQ R13, R12
	ADDQ $64, SI
	ADDQ $64, R8
	SUBQ $64, DX
	JMP next

partly:
	BZHIQ DX, AX, AX
	BZHIQ DX, BX, BX
	BZHIQ DX, CX, CX
	JMP whole

strange:
	TZCNTQ CX, R13
	ADDL R8, R13
	MOVL R13, (R10)
	ADDQ $4, R10
	BLSRQ CX, CX
	JNZ strange
	JMP ordinary

manyLines:
	ADDQ $8, R9
	BLSRQ BX, BX

oneMore:
	BLSMSKQ BX, R13
	ANDQ AX, R13
	POPCNTQ R13, R13
	ADDL R12, R13
	MOVL R13, (R9)
	ADDQ $4, R9
	BLSRQ BX, BX
	JNZ oneMore
	JMP fields

done:
	VZEROUPPER
	MOVQ R12, fields+48(FP)
	SUBQ lines+32(FP), R9
	SHRQ $2, R9
	MOVQ R9, nLines+56(FP)
	SUBQ odd+40(FP), R10
	SHRQ $2, R10
	MOVQ R10, nOdd+64(FP)
	RET

// Two fields, whose ends are at and at+8 bytes behind DI: their last 16 characters, without what
// stands before the field, into the halves of a register.
#define TWO_FIELDS(at, X, Y, XM, YM) \
	MOVL at(DI), AX; \
	MOVL at+8(DI), BX; \
	VMOVDQU -16(SI)(AX*1), X; \
	VINSERTI128 $1, -16(SI)(BX*1), Y, Y; \
	SUBL at-4(DI), AX; \
	SUBL at+4(DI), BX; \
	VMOVDQU -1(R11)(AX*1), XM; \
	VINSERTI128 $1, -1(R11)(BX*1), YM, YM; \
	VPAND YM, Y, Y; \
	VPMADDUBSW Y10, Y, Y; \
	VPMADDWD Y11, Y, Y

// Four fields from the end at on, into the quarters of Y0.
#define FOUR_FIELDS(at) \
	TWO_FIELDS(at, X0, Y0, X2, Y2); \
	TWO_FIELDS(at+4, X1, Y1, X3, Y3); \
	VPACKUSDW Y1, Y0, Y0; \
	VPMADDWD Y12, Y0, Y0; \
	VPMULUDQ Y13, Y0, Y1; \
	VPSRLQ $32, Y0, Y0; \
	VPADDQ Y1, Y0, Y0

// The numbers of Y0 are stored, and a bit for each that needs more than 32 bits is left in a register.
#define STORE_FOUR(at, at32, BIG) \
	VMOVDQU Y0, at(R8); \
	VPSHUFD $0x08, Y0, Y1; \
	VPERMQ $0x08, Y1, Y1; \
	VMOVDQU X1, at32(R9); \
	VPSRLQ $31, Y0, Y0; \
	VPCMPEQQ Y9, Y0, Y0; \
	VMOVMSKPD Y0, BIG

// func readAVX2(text *byte, ends *uint32, n int, numbers *uint64, low *uint32, big *byte) (read int)
//
// It reads fields eight at a time, while as many are left and none of them has more than 16 digits. ends
// points to the end of the first field; all must be 16 bytes or more from the begin of the text.
//
//	SI text  DI ends  DX fields left  R8 numbers  R9 low  R10 big  R11 lastDigits
TEXT ·readAVX2(SB), NOSPLIT, $0-56
	MOVQ text+0(FP), SI
	MOVQ ends+8(FP), DI
	MOVQ n+16(FP), DX
	MOVQ numbers+24(FP), R8
	MOVQ low+32(FP), R9
	MOVQ big+40(FP), R10
	LEAQ lastDigits<>(SB), R11
	VPXOR Y9, Y9, Y9
	VPBROADCASTQ tens<>(SB), Y10
	VPBROADCASTQ hundreds<>(SB), Y11
	VPBROADCASTQ tenThousands<>(SB), Y12
	VPBROADCASTQ hundredMillion<>(SB), Y13
	VPBROADCASTD seventeen<>(SB), Y14

eight:
	CMPQ DX, $8
	JLT end
	VMOVDQU (DI), Y0
	VPSUBD -4(DI), Y0, Y0
	VPCMPGTD Y14, Y0, Y0
	VPTEST Y0, Y0
	JNZ end
	FOUR_FIELDS(0)
	STORE_FOUR(0, 0, R12)
	FOUR_FIELDS(16)
	STORE_FOUR(32, 16, R13)
	SHLL $4, R13
	ORL R13, R12
	NOTL R12
	MOVB R12, (R10)
	ADDQ $32, DI
	ADDQ $64, R8
	ADDQ $32, R9
	ADDQ $1, R10
	SUBQ $8, DX
	JMP eight

end:
	VZEROUPPER
	MOVQ n+16(FP), AX
	SUBQ DX, AX
	MOVQ AX, read+48(FP)
	RET
