! Messages around a ring, from Fortran: each rank makes 3 MPI_Isend and 3 MPI_Irecv, 3 MPI_Waitall, one MPI_Allreduce.
program ring
  use mpi_f08
  implicit none
  integer :: rank, nranks, ierr, i, in(8), out(8), total
  type(MPI_Request) :: requests(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  out = rank
  do i = 1, 3
    call MPI_Irecv(in, 8, MPI_INTEGER, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Isend(out, 8, MPI_INTEGER, mod(rank + 1, nranks), i, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  end do
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (total /= nranks * (nranks - 1) / 2) print *, 'wrong sum', total
  call MPI_Finalize(ierr)
end program
