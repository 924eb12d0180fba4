// Sockets, pipes and files.
#include "CTimelineSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int timeline_seqpacket_pair(int descriptors[2]) {
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, descriptors);
}

ssize_t timeline_message_send(int fd, const void *bytes, size_t count) {
  return send(fd, bytes, count, MSG_NOSIGNAL);
}

// The kernel's limit of descriptors in one message (SCM_MAX_FD).
#define DESCRIPTORS_MAX 253

struct unwanted {
  int count;
  int descriptors[DESCRIPTORS_MAX];
};

static void close_all(const struct unwanted *unwanted) {
  // Without it the close of a connection with unsent data returns at once; of anything else it is refused, and not needed.
  const struct linger none = {0};
  for (int index = 0; index < unwanted->count; index++) {
    setsockopt(unwanted->descriptors[index], SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(unwanted->descriptors[index]);
  }
}

static void close_and_free(void *unwanted) {
  close_all(unwanted);
  free(unwanted);
}

static void close_elsewhere(const struct unwanted *unwanted) {
  struct unwanted *copy = malloc(sizeof *copy);
  if (copy != NULL) *copy = *unwanted;
  if (copy != NULL && timeline_thread_start("closer", close_and_free, copy) == 0) return;
  free(copy);
  // With no thread to be had it is better to wait than to keep what somebody else has passed.
  close_all(unwanted);
}

static ssize_t receive(int fd, void *bytes, size_t count, int flags, int *passed, void (*dispose)(const struct unwanted *)) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  // MSG_PEEK takes nothing: the kernel drops its copies of the descriptors, and none of these is the last of its
  // file.
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = (flags & MSG_PEEK) != 0 ? 0 : sizeof control,
  };
  ssize_t received = recvmsg(fd, &message, flags | MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  *passed = (message.msg_flags & MSG_CTRUNC) != 0;
  if (message.msg_controllen == 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    *passed = 1;
    struct unwanted unwanted = {.count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int))};
    memcpy(unwanted.descriptors, CMSG_DATA(header), (size_t)unwanted.count * sizeof(int));
    dispose(&unwanted);
  }
  return received;
}

ssize_t timeline_message_receive(int fd, void *bytes, size_t count, int keep, int *passed) {
  return receive(fd, bytes, count, MSG_TRUNC | (keep ? MSG_PEEK : 0), passed, close_elsewhere);
}

ssize_t timeline_stream_receive(int fd, void *bytes, size_t count, int *passed) {
  return receive(fd, bytes, count, 0, passed, close_elsewhere);
}

void timeline_refuse_descriptors(int fd) {
  const int no = 0, yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no);
  // An urgent byte that is not read in its turn is dropped by the kernel, with the descriptors that came along.
  setsockopt(fd, SOL_SOCKET, SO_OOBINLINE, &yes, sizeof yes);
}

// Receives everything that waits in the socket, then closes it. Otherwise the kernel would close the descriptors among it, and let
// them linger.
static void drain_and_close(void *raw) {
  const int fd = *(int *)raw;
  char bytes[4096];
  int passed = 0;
  free(raw);
  while (receive(fd, bytes, sizeof bytes, MSG_DONTWAIT, &passed, close_all) > 0 || passed) passed = 0;
  close(fd);
}

void timeline_socket_close(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  // From here on nothing comes any more.
  shutdown(fd, SHUT_RDWR);
  // A message may be empty and carry descriptors, bytes of a stream cannot.
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM && timeline_readable_bytes(fd) <= 0) {
    close(fd);
    return;
  }
  int *copy = malloc(sizeof *copy);
  if (copy != NULL) *copy = fd;
  if (copy != NULL && timeline_thread_start("closer", drain_and_close, copy) == 0) return;
  free(copy);
  close(fd);
}

int timeline_unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

static int address_of(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address->sun_path, path);
  return 0;
}

int timeline_unix_bind(int fd, const char *path) {
  struct sockaddr_un address;
  if (address_of(path, &address) != 0) return -1;
  return bind(fd, (const struct sockaddr *)&address, sizeof address);
}

int timeline_unix_path(int fd, char *path, int size) {
  struct sockaddr_un address = {0};
  socklen_t length = sizeof address;
  if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return -1;
  int count = (int)strnlen(address.sun_path, sizeof address.sun_path);
  if (address.sun_family != AF_UNIX || count == 0 || count >= size) return 0;
  memcpy(path, address.sun_path, (size_t)count);
  path[count] = 0;
  return count;
}

int timeline_unix_connect(int fd, const char *path, int64_t nanoseconds) {
  struct sockaddr_un address;
  if (address_of(path, &address) != 0) return -1;
  // A non-blocking connect cannot be waited for in the Unix family; a blocking one obeys the send timeout, and a
  // timeout of zero would mean none.
  int64_t microseconds = nanoseconds / 1000;
  if (microseconds < 1) microseconds = 1;
  struct timeval timeout = {.tv_sec = microseconds / 1000000, .tv_usec = microseconds % 1000000};
  if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) != 0) return -1;
  if (timeline_set_nonblocking(fd, 0) != 0) return -1;
  int result = connect(fd, (const struct sockaddr *)&address, sizeof address);
  int failure = errno;
  if (timeline_set_nonblocking(fd, 1) != 0) return -1;
  errno = failure;
  return result;
}

int timeline_unix_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int timeline_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *pid = peer.pid;
  *uid = peer.uid;
  *gid = peer.gid;
  return 0;
}

ssize_t timeline_stream_write(int fd, const void *bytes, size_t count) {
  ssize_t result = send(fd, bytes, count, MSG_NOSIGNAL);
  return result < 0 && errno == ENOTSOCK ? write(fd, bytes, count) : result;
}

int timeline_readable_bytes(int fd) {
  int count;
  return ioctl(fd, FIONREAD, &count) < 0 ? -1 : count;
}

int timeline_pipe(int descriptors[2]) {
  if (pipe2(descriptors, O_CLOEXEC) != 0) return -1;
  return timeline_set_nonblocking(descriptors[0], 1);
}

int timeline_duplicate(int fd, int minimum) { return fcntl(fd, F_DUPFD_CLOEXEC, minimum); }

int timeline_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

void *timeline_memory_map(int fd, size_t length, size_t first, size_t second, size_t second_length) {
  if (fallocate(fd, 0, 0, (off_t)first) != 0 || fallocate(fd, 0, (off_t)second, (off_t)second_length) != 0) return NULL;
  void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void timeline_memory_unmap(void *memory, size_t length) { munmap(memory, length); }

void timeline_memory_replace(void *memory, uint32_t place, size_t offset, const void *bytes, uint32_t count) {
  if (count > 0) memcpy((char *)memory + offset, bytes, count);
  uint32_t words[2] = {place, count};
  uint64_t header;
  memcpy(&header, words, sizeof header);
  __atomic_store_n((uint64_t *)memory, header, __ATOMIC_RELEASE);
}

int timeline_is_memory_file(int fd) { return fcntl(fd, F_GET_SEALS) >= 0; }

int timeline_set_nonblocking(int fd, int nonblocking) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0) return -1;
  return fcntl(fd, F_SETFL, nonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

int timeline_open_reading(const char *path) { return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); }
