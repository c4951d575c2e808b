/* Makes one call of a program fail. The library is loaded between the program and the C library:
 *
 *   cc -shared -fPIC -o faults.so faults.c
 *   LD_PRELOAD=./faults.so FAULT_ROOT=/folder FAULT_CALL=write FAULT_AT=3 FAULT_HOW=28 FAULT_LOG=/log sudoku-corpus ...
 *
 * Only calls on files below FAULT_ROOT count. Kinds of calls: write read fsync rename open mkdir remove. FAULT_HOW is the number of
 * an error, "short" (a read or write does half of its work), or "kill" (the process ends at once). With FAULT_ON=1, all later calls of
 * the kind fail too, as on a full disk. Without FAULT_CALL nothing fails. FAULT_LOG gets a line "hit" when a call has failed, and at
 * the end a line with the number of calls of each kind.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE, READ, FSYNC, RENAME, OPEN, MKDIR, REMOVE, KINDS };
static const char *NAMES[KINDS] = {"write", "read", "fsync", "rename", "open", "mkdir", "remove"};
static atomic_long counts[KINDS];
static const char *root;
static size_t root_length;
static int wanted = -1, error_number, is_short, is_kill, goes_on;
static long at;

static void note(const char *text) {
    const char *path = getenv("FAULT_LOG");
    int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644) : -1;
    if (file < 0)
        return;
    syscall(SYS_write, file, text, strlen(text));
    syscall(SYS_close, file);
}

__attribute__((constructor)) static void begin(void) {
    root = getenv("FAULT_ROOT");
    root_length = root ? strlen(root) : 0;
    const char *kind = getenv("FAULT_CALL"), *how = getenv("FAULT_HOW"), *number = getenv("FAULT_AT");
    for (int k = 0; kind && k < KINDS; k++)
        if (strcmp(kind, NAMES[k]) == 0)
            wanted = k;
    at = number ? atol(number) : 0;
    is_short = how && strcmp(how, "short") == 0;
    is_kill = how && strcmp(how, "kill") == 0;
    error_number = how ? atoi(how) : 0;
    goes_on = getenv("FAULT_ON") != NULL;
}

__attribute__((destructor)) static void end(void) {
    char text[300] = "calls";
    for (int k = 0; k < KINDS; k++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %s=%ld", NAMES[k], counts[k]);
    }
    note(strcat(text, "\n"));
}

static int below(const char *path) {
    return root && strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == 0);
}

static int below_path(int folder, const char *path) {
    char base[PATH_MAX] = "", whole[2 * PATH_MAX];
    if (path[0] == '/')
        return below(path);
    if (folder == AT_FDCWD) {
        if (!getcwd(base, sizeof base))
            return 0;
    } else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, base, sizeof base - 1);
        base[length > 0 ? length : 0] = 0;
    }
    snprintf(whole, sizeof whole, "%s/%s", base, path);
    return below(whole);
}

static int below_file(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    return below(path);
}

/* 0: do the call. 1: it has failed, errno is set. 2: do half of it. */
static int fault(enum kind kind, int counted) {
    if (!counted)
        return 0;
    long number = ++counts[kind];
    if ((int)kind != wanted || !(number == at || (goes_on && number > at)))
        return 0;
    if (number == at)
        note("hit\n");
    if (is_kill) {
        kill(getpid(), SIGKILL);
        for (;;)
            pause();
    }
    if (is_short)
        return 2;
    errno = error_number;
    return 1;
}

#define REAL(type, name, ...)                                                                                                       \
    static type (*real)(__VA_ARGS__);                                                                                               \
    if (!real)                                                                                                                      \
        real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);

#define FAIL(kind, counted)                                                                                                         \
    int fails = fault(kind, counted);                                                                                               \
    if (fails == 1)                                                                                                                 \
        return -1;

#define HALF(length) (fails == 2 && (length) > 1 ? (length) / 2 : (length))

ssize_t write(int file, const void *data, size_t length) {
    REAL(ssize_t, write, int, const void *, size_t)
    FAIL(WRITE, below_file(file))
    return real(file, data, HALF(length));
}
#define PWRITE(name, offset)                                                                                                        \
    ssize_t name(int file, const void *data, size_t length, offset place) {                                                         \
        REAL(ssize_t, name, int, const void *, size_t, offset)                                                                      \
        FAIL(WRITE, below_file(file))                                                                                               \
        return real(file, data, HALF(length), place);                                                                               \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
ssize_t writev(int file, const struct iovec *pieces, int number) {
    REAL(ssize_t, writev, int, const struct iovec *, int)
    FAIL(WRITE, below_file(file))
    return real(file, pieces, HALF(number));
}
ssize_t read(int file, void *data, size_t length) {
    REAL(ssize_t, read, int, void *, size_t)
    FAIL(READ, below_file(file))
    return real(file, data, HALF(length));
}
#define PREAD(name, offset)                                                                                                         \
    ssize_t name(int file, void *data, size_t length, offset place) {                                                               \
        REAL(ssize_t, name, int, void *, size_t, offset)                                                                            \
        FAIL(READ, below_file(file))                                                                                                \
        return real(file, data, HALF(length), place);                                                                               \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)
ssize_t readv(int file, const struct iovec *pieces, int number) {
    REAL(ssize_t, readv, int, const struct iovec *, int)
    FAIL(READ, below_file(file))
    return real(file, pieces, HALF(number));
}
ssize_t copy_file_range(int from, off64_t *place, int to, off64_t *other, size_t length, unsigned flags) {
    REAL(ssize_t, copy_file_range, int, off64_t *, int, off64_t *, size_t, unsigned)
    FAIL(WRITE, below_file(to))
    return real(from, place, to, other, HALF(length), flags);
}
ssize_t sendfile64(int to, int from, off64_t *place, size_t length) {
    REAL(ssize_t, sendfile64, int, int, off64_t *, size_t)
    FAIL(WRITE, below_file(to))
    return real(to, from, place, HALF(length));
}
int fsync(int file) {
    REAL(int, fsync, int)
    FAIL(FSYNC, below_file(file))
    return real(file);
}
int fdatasync(int file) {
    REAL(int, fdatasync, int)
    FAIL(FSYNC, below_file(file))
    return real(file);
}
#define TRUNCATE(name, offset)                                                                                                      \
    int name(int file, offset length) {                                                                                             \
        REAL(int, name, int, offset)                                                                                                \
        FAIL(WRITE, below_file(file))                                                                                               \
        return real(file, length);                                                                                                  \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)
int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *)
    FAIL(RENAME, below_path(AT_FDCWD, to))
    return real(from, to);
}
int renameat(int base, const char *from, int folder, const char *to) {
    REAL(int, renameat, int, const char *, int, const char *)
    FAIL(RENAME, below_path(folder, to))
    return real(base, from, folder, to);
}
int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t)
    FAIL(MKDIR, below_path(AT_FDCWD, path))
    return real(path, mode);
}
int unlink(const char *path) {
    REAL(int, unlink, const char *)
    FAIL(REMOVE, below_path(AT_FDCWD, path))
    return real(path);
}
int rmdir(const char *path) {
    REAL(int, rmdir, const char *)
    FAIL(REMOVE, below_path(AT_FDCWD, path))
    return real(path);
}
int unlinkat(int folder, const char *path, int flags) {
    REAL(int, unlinkat, int, const char *, int)
    FAIL(REMOVE, below_path(folder, path))
    return real(folder, path, flags);
}
#define OPENS(name)                                                                                                                 \
    int name(const char *path, int flags, ...) {                                                                                    \
        REAL(int, name, const char *, int, ...)                                                                                     \
        va_list more;                                                                                                               \
        va_start(more, flags);                                                                                                      \
        mode_t mode = va_arg(more, mode_t);                                                                                         \
        va_end(more);                                                                                                               \
        FAIL(OPEN, below_path(AT_FDCWD, path))                                                                                      \
        return real(path, flags, mode);                                                                                             \
    }
OPENS(open)
OPENS(open64)
#define OPENATS(name)                                                                                                               \
    int name(int folder, const char *path, int flags, ...) {                                                                        \
        REAL(int, name, int, const char *, int, ...)                                                                                \
        va_list more;                                                                                                               \
        va_start(more, flags);                                                                                                      \
        mode_t mode = va_arg(more, mode_t);                                                                                         \
        va_end(more);                                                                                                               \
        FAIL(OPEN, below_path(folder, path))                                                                                        \
        return real(folder, path, flags, mode);                                                                                     \
    }
OPENATS(openat)
OPENATS(openat64)
DIR *opendir(const char *path) {
    REAL(DIR *, opendir, const char *)
    /* No program tries to open a folder again. */
    if (error_number != EINTR && fault(OPEN, below_path(AT_FDCWD, path)) == 1)
        return NULL;
    return real(path);
}
