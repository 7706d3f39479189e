/*
 * Kills its process in the n-th system call that changes something below one directory, or lets it fail. Loaded before the
 * C library (LD_PRELOAD); knows names and descriptors of files, nothing of what is written into them.
 *
 * NTH_CALL_ROOT  the directory, absolute
 * NTH_CALL_AT    which call, from 1
 * NTH_CALL_HOW   list (nothing happens), before, after (killed), torn (half of a write is done, then killed),
 *                EIO, ENOSPC (this call fails), EIO-on, ENOSPC-on (this one and all that follow)
 * NTH_CALL_LOG   where a line is written about the call that was met, or in a list about every call
 */
#define _GNU_SOURCE
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
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <linux/fs.h>

enum how { NEVER, LISTED, BEFORE, AFTER, TORN, FAILING };
enum { MOST_FILES = 65536 };

/* The C library's own, for what this library does itself: its name is taken below. */
static long (*kernel)(long number, ...);

static char root[PATH_MAX];
static size_t root_length;
static long at;
static enum how how;
static int code;
static int on;
static const char *log_file;
static atomic_long calls;
static atomic_uchar watched[MOST_FILES];

__attribute__((constructor)) static void prepare(void) {
  kernel = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  const char *named = getenv("NTH_CALL_ROOT"), *number = getenv("NTH_CALL_AT"), *manner = getenv("NTH_CALL_HOW");
  log_file = getenv("NTH_CALL_LOG");
  if (!named || !number || !manner || strlen(named) >= sizeof root) return;
  strcpy(root, named);
  root_length = strlen(root);
  at = atol(number);
  if (!strcmp(manner, "list")) how = LISTED;
  else if (!strcmp(manner, "before")) how = BEFORE;
  else if (!strcmp(manner, "after")) how = AFTER;
  else if (!strcmp(manner, "torn")) how = TORN;
  else how = FAILING;
  code = strncmp(manner, "ENOSPC", 6) ? EIO : ENOSPC;
  on = strstr(manner, "-on") != NULL;
}

static int is_below(int directory, const char *path) {
  if (how == NEVER || !path) return 0;
  char base[PATH_MAX];
  if (path[0] != '/') {
    char link[64];
    if (directory == AT_FDCWD) strcpy(link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = kernel(SYS_readlinkat, AT_FDCWD, link, base, sizeof base - 1);
    if (length < 0) return 0;
    base[length] = 0;
    path = base;
  }
  return !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

static int is_watched(int file) { return how != NEVER && file >= 0 && file < MOST_FILES && watched[file]; }

static void note(long number, const char *name, const char *path, int file) {
  if (!log_file) return;
  char line[PATH_MAX * 2], target[PATH_MAX] = "";
  if (!path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = kernel(SYS_readlinkat, AT_FDCWD, link, target, sizeof target - 1);
    if (length > 0) target[length] = 0;
    path = target;
  }
  int length = snprintf(line, sizeof line, "%ld %s %s\n", number, name, path);
  int out = kernel(SYS_openat, AT_FDCWD, log_file, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (out < 0) return;
  if (kernel(SYS_write, out, line, (size_t)length) < 0) { /* Nobody reads it then. */ }
  kernel(SYS_close, out);
}

static void end(void) {
  kernel(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

/* What is to become of a call that changes something: 0 as ever, 1 it fails, 2 it is done and the process killed. */
static int meet(const char *name, const char *path, int file) {
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (how == LISTED || number == at) note(number, name, path, file);
  if (how == LISTED || number < at || (number > at && !(how == FAILING && on))) return 0;
  if (how == BEFORE) end();
  if (how != FAILING) return 2;
  /* A full disk keeps nobody from removing. */
  if (code == ENOSPC && (!strncmp(name, "unlink", 6) || !strcmp(name, "rmdir"))) return 0;
  errno = code;
  return 1;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* A call that gives a number, -1 for a failure. */
#define WITH(condition, path, file, name, call) \
  int met = (condition) ? meet(name, path, file) : 0; \
  if (met == 1) return -1; \
  __auto_type result = call; \
  if (met == 2) end(); \
  return result

#define CHANGES (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR)

static int opened(int file, int below) {
  if (file >= 0 && file < MOST_FILES) watched[file] = below;
  return file;
}

#define MODE(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    MODE(flags) \
    int below = is_below(AT_FDCWD, path); \
    WITH(below && (flags & CHANGES), path, -1, "open", opened(real(path, flags, mode), below)); \
  }
#define OPENAT(name) \
  int name(int directory, const char *path, int flags, ...) { \
    REAL(name); \
    MODE(flags) \
    int below = is_below(directory, path); \
    WITH(below && (flags & CHANGES), path, -1, "open", opened(real(directory, path, flags, mode), below)); \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int close(int file) {
  REAL(close);
  if (file >= 0 && file < MOST_FILES) watched[file] = 0;
  return real(file);
}

/* Half of what was to be written arrives. */
#define WRITE(name, parameters, whole, half) \
  ssize_t name parameters { \
    REAL(name); \
    int met = is_watched(file) ? meet("write", NULL, file) : 0; \
    if (met == 1) return -1; \
    ssize_t result = met == 2 && how == TORN ? half : whole; \
    if (met == 2) end(); \
    return result; \
  }
WRITE(write, (int file, const void *bytes, size_t length), real(file, bytes, length), real(file, bytes, length / 2))
WRITE(pwrite, (int file, const void *bytes, size_t length, off_t to), real(file, bytes, length, to),
      real(file, bytes, length / 2, to))
WRITE(pwrite64, (int file, const void *bytes, size_t length, off64_t to), real(file, bytes, length, to),
      real(file, bytes, length / 2, to))
WRITE(writev, (int file, const struct iovec *parts, int count), real(file, parts, count), real(file, parts, 1))
WRITE(pwritev, (int file, const struct iovec *parts, int count, off_t to), real(file, parts, count, to),
      real(file, parts, 1, to))
WRITE(pwritev64, (int file, const struct iovec *parts, int count, off64_t to), real(file, parts, count, to),
      real(file, parts, 1, to))

#define ON_FILE(name, parameters, arguments) \
  int name parameters { \
    REAL(name); \
    WITH(is_watched(file), NULL, file, #name, real arguments); \
  }
ON_FILE(fsync, (int file), (file))
ON_FILE(fdatasync, (int file), (file))
ON_FILE(ftruncate, (int file, off_t length), (file, length))
ON_FILE(ftruncate64, (int file, off64_t length), (file, length))
ON_FILE(fchmod, (int file, mode_t mode), (file, mode))
ON_FILE(fchown, (int file, uid_t user, gid_t group), (file, user, group))
ON_FILE(futimens, (int file, const struct timespec times[2]), (file, times))
ON_FILE(fallocate, (int file, int mode, off_t from, off_t length), (file, mode, from, length))

#define ON_PATH(name, parameters, arguments, directory, path) \
  int name parameters { \
    REAL(name); \
    WITH(is_below(directory, path), path, -1, #name, real arguments); \
  }
ON_PATH(truncate, (const char *path, off_t length), (path, length), AT_FDCWD, path)
ON_PATH(truncate64, (const char *path, off64_t length), (path, length), AT_FDCWD, path)
ON_PATH(unlink, (const char *path), (path), AT_FDCWD, path)
ON_PATH(unlinkat, (int directory, const char *path, int flags), (directory, path, flags), directory, path)
ON_PATH(rmdir, (const char *path), (path), AT_FDCWD, path)
ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path)
ON_PATH(mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode), directory, path)
ON_PATH(chmod, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path)
ON_PATH(chown, (const char *path, uid_t user, gid_t group), (path, user, group), AT_FDCWD, path)
ON_PATH(lchown, (const char *path, uid_t user, gid_t group), (path, user, group), AT_FDCWD, path)
ON_PATH(utimes, (const char *path, const struct timeval times[2]), (path, times), AT_FDCWD, path)
ON_PATH(utimensat, (int directory, const char *path, const struct timespec times[2], int flags),
        (directory, path, times, flags), directory, path)
ON_PATH(rename, (const char *from, const char *to), (from, to), AT_FDCWD, to)
ON_PATH(renameat, (int old, const char *from, int new, const char *to), (old, from, new, to), new, to)
ON_PATH(link, (const char *from, const char *to), (from, to), AT_FDCWD, to)
ON_PATH(linkat, (int old, const char *from, int new, const char *to, int flags), (old, from, new, to, flags), new, to)
ON_PATH(symlink, (const char *target, const char *path), (target, path), AT_FDCWD, path)

ssize_t copy_file_range(int from, off64_t *at_from, int file, off64_t *to, size_t length, unsigned flags) {
  REAL(copy_file_range);
  WITH(is_watched(file), NULL, file, "copy", real(from, at_from, file, to, length, flags));
}
ssize_t sendfile64(int file, int from, off64_t *at_from, size_t length) {
  REAL(sendfile64);
  WITH(is_watched(file), NULL, file, "copy", real(file, from, at_from, length));
}
ssize_t sendfile(int file, int from, off_t *at_from, size_t length) {
  REAL(sendfile);
  WITH(is_watched(file), NULL, file, "copy", real(file, from, at_from, length));
}

/* What libuv asks the kernel for itself: copies of files, with their halves where they are torn. */
long syscall(long number, ...) {
  long parts[6];
  va_list rest;
  va_start(rest, number);
  for (int part = 0; part < 6; part++) parts[part] = va_arg(rest, long);
  va_end(rest);
  if (!kernel) kernel = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  int copying = number == SYS_copy_file_range && is_watched((int)parts[2]);
  int met = copying ? meet("copy", NULL, (int)parts[2]) : 0;
  if (met == 1) return -1;
  if (met == 2 && how == TORN) parts[4] /= 2;
  long result = kernel(number, parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
  if (met == 2) end();
  return result;
}

int ioctl(int file, unsigned long request, ...) {
  REAL(ioctl);
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  WITH(request == FICLONE && is_watched(file), NULL, file, "clone", real(file, request, argument));
}
