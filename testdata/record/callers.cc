// A C++ program whose calls have callers: of a namespace, a template, an operator and a lambda. "// line: NAME" names
// lines for the test.
#include <mpi.h>

namespace solver {
template <typename T, int N> struct Field {
	__attribute__((noinline)) T sum(T own) const {
		T all;
		MPI_Allreduce(&own, &all, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // line: allreduce
		asm volatile("");
		return all;
	}
	__attribute__((noinline)) T operator()(T own, const char *) const {
		T all = sum(own); // line: sum
		asm volatile("");
		return all;
	}
};
} // namespace solver

int main(int argc, char **argv) {
	MPI_Init(&argc, &argv); // line: init
	auto meet = [](int n) __attribute__((noinline)) {
		MPI_Barrier(MPI_COMM_WORLD); // line: barrier
		asm volatile("");
		return n;
	};
	int n = meet(1);                   // line: meet
	solver::Field<double, 1>()(n, ""); // line: field
	MPI_Finalize();                    // line: finalize
}
