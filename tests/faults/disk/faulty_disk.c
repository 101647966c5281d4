/* A disk that fails, for a process that is started with LD_PRELOAD: what writes below one folder goes wrong
   from a call that is chosen, for as many calls as are chosen. Reading goes on as always.

   fault_arm(root, first, many, number): from the first-th call below root on (from 1), many calls fail with an
   error number; with number 0 they write half of what they were given, and then say that the disk is full.
   fault_arm with first 0 fails nothing, and counts. fault_calls() returns how many calls there were. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char root[PATH_MAX];
static long first, many, calls;
static int number;

void fault_arm(const char *where, long from, long count, int error) {
    snprintf(root, sizeof root, "%s", where);
    first = from; many = count; number = error; calls = 0;
}
long fault_calls(void) { return calls; }

static int below(const char *path) { return path && root[0] && strncmp(path, root, strlen(root)) == 0; }

static int fd_below(int fd) {
    char link[64], path[PATH_MAX];
    if (!root[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return below(path);
}

static int fails(void) {
    long call = __sync_add_and_fetch(&calls, 1);
    return first && call >= first && call < first + many;
}

static int refused(void) { errno = number ? number : ENOSPC; return -1; }

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__)) dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    if (fd > 2 && fd_below(fd) && fails()) {
        if (number == 0 && size > 1) return real(fd, data, size / 2);
        return refused();
    }
    return real(fd, data, size);
}

#define AT(name, offset_type) \
ssize_t name(int fd, const void *data, size_t size, offset_type at) { \
    REAL(ssize_t, #name, int, const void *, size_t, offset_type); \
    if (fd_below(fd) && fails()) { \
        if (number == 0 && size > 1) return real(fd, data, size / 2, at); \
        return refused(); \
    } \
    return real(fd, data, size, at); \
}
AT(pwrite, off_t)
AT(pwrite64, off64_t)

#define ON_FD(name) \
int name(int fd) { REAL(int, #name, int); return fd_below(fd) && fails() ? refused() : real(fd); }
ON_FD(fsync)
ON_FD(fdatasync)

int ftruncate(int fd, off_t size) {
    REAL(int, "ftruncate", int, off_t);
    return fd_below(fd) && fails() ? refused() : real(fd, size);
}
int ftruncate64(int fd, off64_t size) {
    REAL(int, "ftruncate64", int, off64_t);
    return fd_below(fd) && fails() ? refused() : real(fd, size);
}
int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    return below(path) && fails() ? refused() : real(path, mode);
}
int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return below(to) && fails() ? refused() : real(from, to);
}
int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    return below(path) && fails() ? refused() : real(path);
}

#define OPENS(name) \
int name(const char *path, int flags, ...) { \
    REAL(int, #name, const char *, int, ...); \
    mode_t mode = 0; \
    if (flags & O_CREAT) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); } \
    if ((flags & O_CREAT) && below(path) && fails()) return refused(); \
    return real(path, flags, mode); \
}
OPENS(open)
OPENS(open64)
