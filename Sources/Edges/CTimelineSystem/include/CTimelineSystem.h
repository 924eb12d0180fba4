// System calls that Swift's Glibc module does not show, each behind a function of our own.
//
// Every function says what it returns and why it is in C. Unless it says otherwise it returns -1 and sets errno
// on failure, never retries on EINTR (TimelineSystem's one wrapper does) and makes descriptors close-on-exec.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TIMELINE_EPOLL_EVENTS_MAX 64

/// One ready descriptor. A struct of our own because epoll_event is packed on some machines and a union on all.
struct timeline_epoll_event {
  /// EPOLLIN and friends, see the constants below.
  uint32_t events;
  /// The value that was given when the descriptor was added.
  uint64_t token;
};

/// The bits of epoll; constants of our own because the header's are an enum that Swift sees as a distinct type.
extern const uint32_t timeline_epoll_in;
extern const uint32_t timeline_epoll_out;
extern const uint32_t timeline_epoll_peer_closed;
extern const uint32_t timeline_epoll_hang_up;
extern const uint32_t timeline_epoll_error;

/// Makes an epoll descriptor. In C because <sys/epoll.h> is not in the Glibc module.
int timeline_epoll_create(void);
/// Adds `fd` for `events`; `token` comes back with every event. 0 on success.
int timeline_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
/// Changes what `fd` is watched for. 0 on success.
int timeline_epoll_change(int epoll, int fd, uint32_t events, uint64_t token);
/// Takes `fd` out. 0 on success.
int timeline_epoll_remove(int epoll, int fd);
/// Waits for at most `nanoseconds` (for ever when negative) and fills at most `capacity` events, itself at most
/// TIMELINE_EPOLL_EVENTS_MAX. Returns how many. epoll_pwait2, so that a timeout is not rounded to milliseconds; ppoll and epoll_wait
/// where there is none: before Linux 5.11, and in some containers and instruments.
int timeline_epoll_wait(int epoll, struct timeline_epoll_event *events, int capacity, int64_t nanoseconds);

/// Makes a non-blocking timer descriptor on CLOCK_MONOTONIC. In C because <sys/timerfd.h> is not in the module.
int timeline_timer_create_monotonic(void);
/// Makes a non-blocking timer descriptor on CLOCK_REALTIME.
int timeline_timer_create_wall(void);
/// Arms a timer once at the absolute `nanoseconds` of its clock, at once when that has passed; 0 on success.
/// With `cancel_on_set` a read fails with ECANCELED after the wall clock was set, and so may this call, which
/// has armed the timer all the same (timerfd_create(2)).
int timeline_timer_arm(int timer, int64_t nanoseconds, int cancel_on_set);
/// Disarms a timer; 0 on success.
int timeline_timer_disarm(int timer);

/// Nanoseconds on CLOCK_REALTIME; cannot fail. In C because a timespec needs saturating arithmetic only here.
int64_t timeline_now_wall(void);
/// Nanoseconds on CLOCK_MONOTONIC; cannot fail.
int64_t timeline_now_monotonic(void);
/// Nanoseconds on CLOCK_BOOTTIME; cannot fail.
int64_t timeline_now_boot(void);
/// Whether something keeps CLOCK_REALTIME right: 1, or 0 for nothing; -1 if the kernel does not tell. In C because <sys/timex.h> is not in
/// the module.
int timeline_clock_is_synchronized(void);

/// Makes a non-blocking counter descriptor at 0. In C because <sys/eventfd.h> is not in the module.
int timeline_event_create(void);
/// Makes a counter descriptor readable; nothing can go wrong that matters, so it returns nothing.
void timeline_event_raise(int fd);
/// Makes a counter descriptor unreadable again.
void timeline_event_clear(int fd);

/// Makes a non-blocking descriptor that becomes readable when something in a watched directory changes. In C because
/// <sys/inotify.h> is not in the module.
int timeline_directory_watch_open(void);
/// Watches the directory at `path` for files made, written, renamed or removed in it; a number of its own, or -1. A directory that is
/// watched already keeps its number.
int timeline_directory_watch_add(int fd, const char *path);
/// Watches the file at `path`, links not followed, for the loss of its name, or the directory there for being moved or removed
/// itself; a number, or -1.
int timeline_file_watch_add(int fd, const char *path, int is_directory);
/// Ends the watch of that number; 0 on success.
int timeline_directory_watch_remove(int fd, int number);
/// Takes all that has been noticed so far; what it was is not told.
void timeline_directory_watch_drain(int fd);

/// Blocks the `count` `signals` in the calling thread and returns a non-blocking descriptor that yields them.
/// In C because sigset_t is manipulated by macros and <sys/signalfd.h> is not in the module.
int timeline_signal_open(const int *signals, int count);
/// Reads the number of the next signal; -1 with EAGAIN when there is none. `pid` and `user` become those of the process that sent
/// it, `pid` 0 where the kernel did.
int timeline_signal_read(int fd, int *pid, unsigned *user);
/// Undoes the blocking of timeline_signal_open in the calling thread; returns 0.
int timeline_signal_unblock(const int *signals, int count);
/// "TERM" for SIGTERM, or NULL; the string is static. In C because it needs _GNU_SOURCE.
const char *timeline_signal_name(int signal);
/// Makes a write to a closed pipe (SIGPIPE) or beyond the limit on a file's size (SIGXFSZ) an error and not a death. Returns 0.
int timeline_survive_writes(void);
/// Returns the free pages of the heap to the kernel. In C because Swift does not import <malloc.h>.
void timeline_return_unused_memory(void);

/// "ENOENT" for ENOENT, or NULL; the string is static. In C because it needs _GNU_SOURCE.
const char *timeline_error_name(int code);
/// "No such file or directory", untranslated, or NULL; the string is static and safe to ask for on any thread.
const char *timeline_error_text(int code);

/// The properties of a child to start; everything is only read, and only during the call.
struct timeline_spawn {
  /// The file to execute; not searched for in PATH.
  const char *path;
  /// The argument vector, NULL-terminated.
  char *const *arguments;
  /// The environment, NULL-terminated.
  char *const *environment;
  /// The working directory of the child, or NULL for that of this process.
  const char *directory;
  /// `count` descriptors of ours, each above every number in `targets`.
  const int *sources;
  /// The numbers they get in the child; every other descriptor of the child is closed.
  const int *targets;
  /// The number of descriptors.
  int count;
};

/// Starts a child as the leader of a session and so of a process group of its own, without a controlling terminal, and with no signal blocked or ignored. Returns 0 and
/// stores the pid, or returns an errno value (it does not set errno), also when the file cannot be executed. An ignored
/// SIGCHLD becomes a default one, or children could not be reaped.
/// posix_spawn, which shares memory with the child until it executes: fork would copy our page tables first.
int timeline_spawn(const struct timeline_spawn *request, pid_t *pid);

/// Kills and reaps a child, the leader of its group, of which no handle could be had.
void timeline_discard_child(pid_t pid);
/// A descriptor that is readable once process `pid` has ended. In C because it has no wrapper in the module.
int timeline_pidfd_open(pid_t pid);
/// Looks whether the child of `pidfd` has ended. 1 when it has: `status` gets its exit status, or `signal` the
/// signal that ended it, the other is 0. 0 when it runs. `block` waits; `keep` leaves it a zombie to be asked again.
int timeline_pidfd_wait(int pidfd, int block, int keep, int *status, int *signal);
/// Sends a signal to the process of `pidfd`; 0 on success.
int timeline_pidfd_signal(int pidfd, int signal);

/// A connected pair of non-blocking Unix sockets that keep message boundaries; 0 on success.
int timeline_seqpacket_pair(int descriptors[2]);
/// Sends one message, never raising SIGPIPE; the number of bytes sent.
ssize_t timeline_message_send(int fd, const void *bytes, size_t count);
/// Receives one message; the number of its bytes, of which at most `count` were stored (the rest is lost);
/// 0 at the end. With `keep` the message stays the next one. `passed` gets whether descriptors came along; unless the message
/// was kept they are closed, on a thread of their own: a close may wait, for a connection's unsent data or for whoever serves a
/// file system, and would in the kernel too if no room was offered for them.
ssize_t timeline_message_receive(int fd, void *bytes, size_t count, int keep, int *passed);
/// Receives from a stream socket, with `passed` as above; fails with ENOTSOCK on anything else.
ssize_t timeline_stream_receive(int fd, void *bytes, size_t count, int *passed);
/// Has the kernel refuse whoever sends descriptors to this socket of the Unix family, from Linux 6.16 on, and makes sure that
/// before none can come other than by what is received.
void timeline_refuse_descriptors(int fd);
/// Ends a socket's connection for both sides and closes it; on a thread of its own where descriptors may wait in it to be
/// received, for which the kernel would do the closing.
void timeline_socket_close(int fd);

/// Makes a non-blocking stream socket of the Unix family.
int timeline_unix_socket(void);
/// Binds a Unix socket to a path; 0 on success, -1 with ENAMETOOLONG when it does not fit. In C because
/// sockaddr_un is a family of casts.
int timeline_unix_bind(int fd, const char *path);
/// Puts the path that a Unix socket is bound to into `path`, which has room for `size` bytes, with a NUL; its length, 0 for a socket
/// without a path, or -1.
int timeline_unix_path(int fd, char *path, int size);
/// Connects a Unix socket, waiting at most `nanoseconds` for room in the listener's backlog; 0 on success, -1 with
/// EAGAIN when there was none in time. The socket is non-blocking afterwards.
int timeline_unix_connect(int fd, const char *path, int64_t nanoseconds);
/// Accepts a connection as a non-blocking descriptor. In C because accept4 needs _GNU_SOURCE.
int timeline_unix_accept(int fd);
/// Gets the credentials of the peer, as of connect time; 0 on success. In C because ucred needs _GNU_SOURCE.
int timeline_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid);
/// Writes to a socket without raising SIGPIPE, or to anything else with write(2); the number of bytes taken.
ssize_t timeline_stream_write(int fd, const void *bytes, size_t count);
/// The number of bytes that can be read from `fd` at once, or -1. In C because ioctl is variadic.
int timeline_readable_bytes(int fd);
/// Makes a pipe whose reading end is non-blocking; 0 on success. In C because pipe2 needs _GNU_SOURCE.
int timeline_pipe(int descriptors[2]);
/// A copy of `fd` numbered `minimum` or above. In C because fcntl is variadic.
int timeline_duplicate(int fd, int minimum);
/// Makes a file without a place in any directory, which is gone when nobody has it open. In C because memfd_create needs
/// _GNU_SOURCE.
int timeline_memory_file(const char *name);
/// Maps `length` bytes of such a file, and has memory found for the first `first` of them and for `second_length` from
/// `second` on; NULL when that cannot be. In C because fallocate needs _GNU_SOURCE.
void *timeline_memory_map(int fd, size_t length, size_t first, size_t second, size_t second_length);
/// Undoes ``timeline_memory_map``.
void timeline_memory_unmap(void *memory, size_t length);
/// Puts `count` bytes at `offset`, and only then `place` and `count` into the first eight bytes, all at once. In C because
/// Swift has no store that is atomic at an address.
void timeline_memory_replace(void *memory, uint32_t place, size_t offset, const void *bytes, uint32_t count);
/// Whether `fd` is such a file: nothing else has seals to speak of. In C because fcntl is variadic.
int timeline_is_memory_file(int fd);
/// Makes `fd` non-blocking (or blocking); 0 on success.
int timeline_set_nonblocking(int fd, int nonblocking);
/// Opens a file for reading, non-blocking so that a FIFO cannot hold us. In C because open is variadic.
int timeline_open_reading(const char *path);
/// Reads the access list of the file at `path`, links followed, as the kernel gives it; its length in bytes. In C because <sys/xattr.h> is
/// not in the Glibc module.
ssize_t timeline_access_list(const char *path, void *list, size_t capacity);
/// Opens the root directory, or with `name` what has that name in the open directory `directory`, only to be judged and to go on
/// from (O_PATH); a symbolic link is opened itself and not followed. In C because openat is variadic.
int timeline_open_step(int directory, const char *name);
/// Waits until `fd` can be read (or written) for at most `nanoseconds` (for ever when negative). 1 when it can or
/// is closed, 0 when time ran out. In C because ppoll needs _GNU_SOURCE.
int timeline_wait_ready(int fd, int writing, int64_t nanoseconds);

/// Starts a detached thread with every signal blocked that calls `body(context)`; returns 0 or an errno value. In C
/// because the mask has to be set around the start, or a signal could land on the thread first.
int timeline_thread_start(const char *name, void (*body)(void *), void *context);
/// Lets the kernel delay timers of the calling thread by at most `nanoseconds`, not the usual 50,000. In C because
/// prctl is variadic.
int timeline_set_timer_slack(uint64_t nanoseconds);
/// Forbids this process and its children to gain privileges by executing a file; 0 on success.
int timeline_set_no_new_privileges(void);
/// Becomes user `uid` with group `gid` and the groups of `name`, for good; 0 on success. In C because initgroups and
/// setresuid need _GNU_SOURCE.
int timeline_become_user(const char *name, uid_t uid, gid_t gid);
/// Whether user `uid`, with group `gid` and the groups of `name`, may do to `path` what `mode` says (R_OK, W_OK, X_OK): 0, the
/// errno value that says why not, or -1 when it cannot be told. A child becomes the user and asks, so this process must be root
/// and should have one thread. In C because fork has no wrapper in the module.
int timeline_access_as(const char *name, uid_t uid, gid_t gid, const char *path, int mode);
/// Sets the wall clock to the time that it already is, which every CANCEL_ON_SET timer notices; for tests, needs
/// root, moves nothing by more than the microsecond that the call takes. 0 on success.
int timeline_touch_wall_clock(void);

/// Has the calling thread take turns with others in slices of `nanoseconds`, 0 for the usual ones, if it has the usual policy and the
/// kernel lets it choose, which one of before 6.12 only seems to; whether it does now. In C because glibc before 2.41 has no wrapper.
int timeline_set_time_slice(uint64_t nanoseconds);
/// The slice of a thread in nanoseconds, 0 for the calling one; 0 where the kernel does not say.
uint64_t timeline_time_slice(pid_t thread);

enum {
  TIMELINE_LIMIT_ADDRESS_SPACE,
  TIMELINE_LIMIT_PROCESSOR_SECONDS,
  TIMELINE_LIMIT_OPEN_FILES,
  TIMELINE_LIMIT_PROCESSES,
};
/// Bounds this process and what it starts by one of the TIMELINE_LIMIT_...; 0 on success. In C because glibc's
/// resource numbers are an enum of their own in C and another type in C++ and Swift.
int timeline_set_limit(int limit, uint64_t soft, uint64_t hard);
/// Sets the niceness of the calling thread and of the threads and processes that it starts; 0 on success.
int timeline_set_niceness(int niceness);
/// Sets who goes first at a disk, `class` 2 with `level` 0 to 7 or class 3, for the same; 0 on success. In C because
/// glibc has no wrapper.
int timeline_set_io_priority(int class, int level);
/// Makes this process the parent of those of its descendants whose own parent has ended; 0 on success.
int timeline_become_subreaper(void);
/// Marks every descriptor from `lowest` on as close-on-exec. In C because close_range has no wrapper in the module.
void timeline_close_on_exec(int lowest);
/// Whether the file at `path` has the extended attribute `name` with the value "1"; 1 or 0. In C because <sys/xattr.h> is not in the
/// module.
int timeline_has_mark(const char *path, const char *name);
/// Sets the extended attribute `name` of the file at `path` to a text; 0 on success.
int timeline_set_attribute(const char *path, const char *name, const char *text);
/// The text of the extended attribute `name` of the file at `path`, to be freed; NULL if it has none, or one of more than 255 bytes.
char *timeline_attribute(const char *path, const char *name);
/// Names the calling thread; for a process of one thread that is its name. In C because prctl is variadic.
int timeline_set_name(const char *name);
/// Sends SIGTERM to the process once, `nanoseconds` from now on CLOCK_MONOTONIC; 0 on success. In C because sigevent has macros for names.
int timeline_terminate_after(int64_t nanoseconds);
/// The version of the kernel's Landlock, from 1 on; ENOSYS where it has none, EOPNOTSUPP where it was started without. In C because
/// glibc has no wrappers of these calls.
int timeline_landlock_version(void);
/// Makes a set of rules that denies everything in `handled`, LANDLOCK_ACCESS_FS_..., but what it will allow; a descriptor.
int timeline_landlock_create(uint64_t handled);
/// Allows in a set of rules what is at `path`: of `tree` for a directory and all below it, of `file` for anything else. 0 on success.
int timeline_landlock_allow(int ruleset, const char *path, uint64_t tree, uint64_t file);
/// Puts the calling thread and what it starts under a set of rules, for good; 0 on success.
int timeline_landlock_enter(int ruleset);
/// The attributes of a process that programs which it starts inherit.
struct timeline_process_state;
/// Takes those of the calling thread and its process; `output` is a copy of standard output that stays open. NULL without memory. Never
/// freed: the environment may point into it. In C because half of these calls are not in the Glibc module.
struct timeline_process_state *timeline_state_take(int output);
/// Restores umask, environment, signal mask and niceness, which takes half a microsecond where nothing has changed; the name of something
/// that cannot be restored, a static string, or NULL.
const char *timeline_state_restore_first(struct timeline_process_state *state);
/// Restores the rest, which takes twenty times as long; `has_found` becomes whether any of it had changed.
const char *timeline_state_restore_rest(struct timeline_process_state *state, int *has_found);

/// Creates a file with mode 0400 in an open directory, for writing; fails when there is anything of that name. In C
/// because openat is variadic.
int timeline_create_file_at(int directory, const char *name);
/// Removes a directory with all that is in it, without following links or leaving its file system; 0 on success. Its parent must not be
/// foreign. In C because openat is variadic.
int timeline_remove_tree(const char *path);
