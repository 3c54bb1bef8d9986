// Point to point in all modes, persistent, with wildcards, probes and tests. Each rank sends to its right neighbour.
#include "counted.h"

int main(int argc, char **argv) {
	begin(&argc, &argv);
	enum { N = 100 };
	int out[N], in[N], right = (rank + 1) % size, left = (rank + size - 1) % size, flag = 0, index, n, indices[4];
	MPI_Comm world = MPI_COMM_WORLD;
	MPI_Status status, statuses[4];
	MPI_Request q[4];
	for (int i = 0; i < N; i++) out[i] = i;
	char *space = malloc(1 << 20);
	C(MPI_Buffer_attach, space, 1 << 20);

	// Blocking: receives are posted first, so that a ready send finds one.
	C(MPI_Irecv, in, N, MPI_INT, left, 1, world, &q[0]);
	C(MPI_Barrier, world);
	C(MPI_Rsend, out, 10, MPI_INT, right, 1, world), S(right, 40);
	C(MPI_Wait, &q[0], MPI_STATUS_IGNORE);
	C(MPI_Irecv, in, N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &q[0]);
	C(MPI_Send, out, 11, MPI_INT, right, 2, world), S(right, 44);
	C(MPI_Wait, &q[0], &status);
	C(MPI_Irecv, in, N, MPI_INT, MPI_ANY_SOURCE, 3, world, &q[0]);
	C(MPI_Ssend, out, 12, MPI_INT, right, 3, world), S(right, 48);
	C(MPI_Waitall, 1, q, MPI_STATUSES_IGNORE);
	C(MPI_Bsend, out, 13, MPI_INT, right, 4, world), S(right, 52);
	C(MPI_Recv, in, N, MPI_INT, left, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
	C(MPI_Sendrecv, out, 14, MPI_INT, right, 5, in, N, MPI_INT, MPI_ANY_SOURCE, 5, world, &status), S(right, 56);
	C(MPI_Sendrecv_replace, out, 15, MPI_INT, right, 6, left, 6, world, MPI_STATUS_IGNORE), S(right, 60);

	// Nothing comes from and goes to MPI_PROC_NULL.
	C(MPI_Send, out, 1, MPI_INT, MPI_PROC_NULL, 7, world);
	C(MPI_Recv, in, 1, MPI_INT, MPI_PROC_NULL, 7, world, &status);
	C(MPI_Irecv, in, 1, MPI_INT, MPI_PROC_NULL, 7, world, &q[0]);
	C(MPI_Wait, &q[0], &status);

	// Non-blocking; two receives with wildcards complete in the order in which they were posted.
	C(MPI_Irecv, in, N, MPI_INT, left, MPI_ANY_TAG, world, &q[0]);
	C(MPI_Irecv, in + 50, 50, MPI_INT, MPI_ANY_SOURCE, 8, world, &q[1]);
	C(MPI_Isend, out, 16, MPI_INT, right, 8, world, &q[2]), S(right, 64);
	C(MPI_Issend, out, 17, MPI_INT, right, 8, world, &q[3]), S(right, 68);
	C(MPI_Waitall, 4, q, statuses);
	C(MPI_Irecv, in, N, MPI_INT, left, 9, world, &q[0]);
	C(MPI_Irecv, in + 50, 50, MPI_INT, left, 10, world, &q[1]);
	C(MPI_Barrier, world);
	C(MPI_Irsend, out, 18, MPI_INT, right, 10, world, &q[2]), S(right, 72);
	C(MPI_Ibsend, out, 19, MPI_INT, right, 9, world, &q[3]), S(right, 76);
	for (int left = 4; left > 0; left--) C(MPI_Waitany, 4, q, &index, MPI_STATUS_IGNORE);

	C(MPI_Irecv, in, N, MPI_INT, left, 11, world, &q[0]);
	C(MPI_Isend, out, 20, MPI_INT, right, 11, world, &q[1]), S(right, 80);
	for (int done = 0; done < 2; done += n) C(MPI_Waitsome, 2, q, &n, indices, MPI_STATUSES_IGNORE);

	C(MPI_Irecv, in, N, MPI_INT, left, 12, world, &q[0]);
	C(MPI_Isend, out, 21, MPI_INT, right, 12, world, &q[1]), S(right, 84);
	for (flag = 0; !flag;) C(MPI_Test, &q[0], &flag, MPI_STATUS_IGNORE);
	for (flag = 0; !flag;) C(MPI_Test, &q[1], &flag, &status);
	C(MPI_Irecv, in, N, MPI_INT, left, 13, world, &q[0]);
	C(MPI_Isend, out, 22, MPI_INT, right, 13, world, &q[1]), S(right, 88);
	for (flag = 0; !flag;) C(MPI_Testall, 2, q, &flag, MPI_STATUSES_IGNORE);
	C(MPI_Irecv, in, N, MPI_INT, left, 14, world, &q[0]);
	C(MPI_Isend, out, 23, MPI_INT, right, 14, world, &q[1]), S(right, 92);
	for (int done = 0; done < 2; done += flag) C(MPI_Testany, 2, q, &index, &flag, MPI_STATUS_IGNORE);
	C(MPI_Irecv, in, N, MPI_INT, left, 15, world, &q[0]);
	C(MPI_Isend, out, 24, MPI_INT, right, 15, world, &q[1]), S(right, 96);
	for (int done = 0; done < 2; done += n) C(MPI_Testsome, 2, q, &n, indices, statuses);

	// Probes, and receives of what they matched: the second probe's message is received first.
	MPI_Message message, second;
	C(MPI_Isend, out, 25, MPI_INT, right, 16, world, &q[0]), S(right, 100);
	C(MPI_Probe, left, MPI_ANY_TAG, world, &status);
	C(MPI_Recv, in, N, MPI_INT, left, 16, world, &status);
	C(MPI_Wait, &q[0], MPI_STATUS_IGNORE);
	C(MPI_Isend, out, 26, MPI_INT, right, 17, world, &q[0]), S(right, 104);
	for (flag = 0; !flag;) C(MPI_Iprobe, MPI_ANY_SOURCE, 17, world, &flag, MPI_STATUS_IGNORE);
	C(MPI_Recv, in, N, MPI_INT, left, 17, world, MPI_STATUS_IGNORE);
	C(MPI_Wait, &q[0], MPI_STATUS_IGNORE);
	C(MPI_Isend, out, 27, MPI_INT, right, 18, world, &q[0]), S(right, 108);
	C(MPI_Isend, out, 28, MPI_INT, right, 18, world, &q[1]), S(right, 112);
	C(MPI_Mprobe, MPI_ANY_SOURCE, 18, world, &message, MPI_STATUS_IGNORE);
	for (flag = 0; !flag;) C(MPI_Improbe, left, 18, world, &flag, &second, &status);
	C(MPI_Imrecv, in, N, MPI_INT, &second, &q[2]);
	C(MPI_Wait, &q[2], &status);
	C(MPI_Mrecv, in, N, MPI_INT, &message, MPI_STATUS_IGNORE);
	C(MPI_Waitall, 2, q, statuses);

	// Persistent, started three times; a receive that is cancelled, and one that is given up.
	C(MPI_Send_init, out, 29, MPI_INT, right, 19, world, &q[0]);
	C(MPI_Ssend_init, out, 30, MPI_INT, right, 20, world, &q[1]);
	C(MPI_Recv_init, in, 50, MPI_INT, left, 19, world, &q[2]);
	C(MPI_Recv_init, in + 50, 50, MPI_INT, MPI_ANY_SOURCE, 20, world, &q[3]);
	for (int i = 0; i < 3; i++) {
		if (i == 1) for (int k = 0; k < 4; k++) C(MPI_Start, &q[k]);
		else C(MPI_Startall, 4, q);
		S(right, 116), S(right, 120);
		if (i == 2) for (int k = 0; k < 4; k++) C(MPI_Wait, &q[k], MPI_STATUS_IGNORE);
		else C(MPI_Waitall, 4, q, MPI_STATUSES_IGNORE);
	}
	for (int k = 0; k < 4; k++) C(MPI_Request_free, &q[k]);
	C(MPI_Irecv, in, N, MPI_INT, left, 999, world, &q[0]);
	C(MPI_Cancel, &q[0]);
	C(MPI_Wait, &q[0], MPI_STATUS_IGNORE);

	// Nothing is recorded between these.
	MPI_Pcontrol(0);
	MPI_Barrier(world);
	MPI_Pcontrol(1);
	C(MPI_Barrier, world);
	return finish();
}
