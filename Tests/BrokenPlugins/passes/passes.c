/* Passes the daemon a connection whose close waits for a minute, and then waits itself; where the kernel does not let it, it
 * prints "refused" and goes on trying. */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <timelined_plugin.h>

static int lingering(void) {
  static const char bytes[65536];
  const struct linger minute = {.l_onoff = 1, .l_linger = 60};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1) != 0) return -1;
  if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) return -1;
  if (connect(connection, (struct sockaddr *)&address, length) != 0) return -1;
  if (setsockopt(connection, SOL_SOCKET, SO_LINGER, &minute, sizeof minute) != 0) return -1;
  while (send(connection, bytes, sizeof bytes, MSG_DONTWAIT) > 0) continue;
  return connection;
}

static int pass(int socket, int descriptor) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof descriptor)];
  } control = {0};
  struct iovec part = {.iov_base = "x", .iov_len = 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof descriptor), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

/* The host's socket, which is no secret: the only one of its type. */
static int host_socket(void) {
  for (int number = 3; number < 4096; number++) {
    int type = 0;
    socklen_t length = sizeof type;
    if (getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_SEQPACKET) return number;
  }
  return -1;
}

static timelined_status run(void *instance, const timelined_context *context) {
  (void)instance;
  int connection = lingering();
  if (connection < 0) return TIMELINED_FAIL(context, "there is no connection to pass");
  bool told = false;
  while (pass(host_socket(), connection) != 0) {
    if (!told) puts("refused");
    told = true;
    usleep(1000);
  }
  close(connection);
  while (pause() == -1) continue;
  return TIMELINED_FAILED;
}

static const timelined_plugin table = {
    TIMELINED_PLUGIN_HEAD, .name = "passes", .version = "1.0", .summary = "passes the daemon a descriptor", .run = run};

const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
  (void)host;
  return &table;
}
