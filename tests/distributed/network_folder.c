/* Makes a folder behave as it does with the kernel's NFS client. The library is loaded between the program and the C library:
 *
 *   cc -shared -fPIC -o network_folder.so network_folder.c
 *   LD_PRELOAD=./network_folder.so [NO_LOCKS=1] sudoku-corpus ...
 *
 * - A shared lock of a file that is not open for reading fails with EBADF, and so does an exclusive lock of a file that is not
 *   open for writing. The reason is that NFSv4 turns both into byte-range locks (nfs(5), flock(2)).
 * - With NO_LOCKS every lock fails with ENOLCK, as on a server without its lock service: flock, and byte ranges of fcntl. A filter
 *   in the kernel does this, because some programs call it without the C library.
 * - Appending is not atomic: the client looks for the end of the file first and writes there later (open(2), O_APPEND).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((constructor)) static void refuse_locks(void) {
    if (!getenv("NO_LOCKS"))
        return;
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETLK, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETLKW, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOLCK),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        abort();
}

int flock(int file, int operation) {
    int (*real)(int, int) = dlsym(RTLD_NEXT, "flock");
    int mode = fcntl(file, F_GETFL) & O_ACCMODE;
    /* With NO_LOCKS the filter in the kernel gives the error. */
    if (getenv("NO_LOCKS"))
        return real(file, operation);
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
