// A library to preload: the disk is full beyond the first MB of a file.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int posix_fallocate(int fd, off_t offset, off_t size) {
	return offset > 1000000 ? ENOSPC : ftruncate(fd, offset + size);
}
