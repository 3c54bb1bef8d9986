package prvtest

// SmallPCF has labels in all sections, with gaps, comments and extreme values.
const SmallPCF = `DEFAULT_OPTIONS

LEVEL               THREAD
UNITS               NANOSEC

DEFAULT_SEMANTIC

THREAD_FUNC          State As Is

STATES
0    Idle
1	Running
9223372036854775807   Far away


STATES_COLOR
0    {117,195,255}
1    { 0, 0 ,255}

GRADIENT_COLOR
0    {0,255,2}
GRADIENT_NAMES
0    Gradient 0

EVENT_TYPE
9   50000001    MPI Point-to-point
9   50000002    MPI Collective Comm
VALUES
0   Outside MPI
1   MPI_Send
EVENT_TYPE
7  42000050 PAPI_TOT_INS [Instr completed]
PRECISION 3
   
# a comment
EVENT_TYPE
0    4294967295    Last type
VALUES
-1   Minus one
18446744073709551615   All ones
`

// SmallROW has names for some levels.
const SmallROW = `LEVEL CPU SIZE 2
01.node1
02.node1

LEVEL NODE SIZE 1
node1

LEVEL APPLICATION SIZE 1
solver

LEVEL THREAD SIZE 3
THREAD 1.1.1

THREAD 1.2.1
`

// Canonical is a trace with everything, in the order of prv.Write: it is written byte for byte as it was read.
const Canonical = `#Paraver (21/11/2026 at 00:34):1000_ns:2(1,2):2:2(1:1,2:2),1(1:2),2
c:1:1:2:1:2
I:whatever it says
# a comment
#20261121:CUTTER:x
1:1:1:1:1:0:100:1
2:1:1:1:1:0:50000003:31:42000050:9223372036854775807
2:1:1:1:1:0:7:-9223372036854775808
1:2:1:2:1:0:10:3
1:1:1:1:1:100:-1:4294967295
3:1:1:1:1:90:100:2:1:2:1:110:120:4096:17
1:2:1:2:2:300:300:2
1:3:1:2:2:300:400:1
2:0:2:1:1:500:4294967295:0
3:0:2:1:1:700:600:3:1:2:2:0:0:0:-1
`
