/* Makes a folder behave as it does with the kernel's NFS client. The library is loaded between the program and the C library:
 *
 *   cc -shared -fPIC -o network_folder.so network_folder.c
 *   LD_PRELOAD=./network_folder.so [NO_LOCKS=1] sudoku-corpus ...
 *
 * - A shared lock of a file that is not open for reading fails with EBADF, and so does an exclusive lock of a file that is not
 *   open for writing. The reason is that NFSv4 turns both into byte-range locks (nfs(5), flock(2)).
 * - With NO_LOCKS every lock fails with ENOLCK, as on a server without its lock service.
 * - Appending is not atomic: the client looks for the end of the file first and writes there later (open(2), O_APPEND).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int flock(int file, int operation) {
    int (*real)(int, int) = dlsym(RTLD_NEXT, "flock");
    int mode = fcntl(file, F_GETFL) & O_ACCMODE;
    if (getenv("NO_LOCKS")) {
        errno = ENOLCK;
        return -1;
    }
    if (((operation & LOCK_SH) && mode == O_WRONLY) || ((operation & LOCK_EX) && mode == O_RDONLY)) {
        errno = EBADF;
        return -1;
    }
    return real(file, operation);
}

ssize_t write(int file, const void *data, size_t length) {
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    int flags = fcntl(file, F_GETFL);
    struct stat status;
    if (!(flags & O_APPEND) || fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return real(file, data, length);
    fcntl(file, F_SETFL, flags & ~O_APPEND);
    off_t end = lseek(file, 0, SEEK_END);
    usleep(3000);
    ssize_t written = pwrite(file, data, length, end);
    fcntl(file, F_SETFL, flags);
    return written;
}
