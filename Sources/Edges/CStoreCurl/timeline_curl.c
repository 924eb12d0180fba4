#include "include/timeline_curl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Most bytes of a response: a view of 100,000 jobs with the definitions that many nodes have of them. */
enum { RESPONSE_MAX = 64 << 20 };

struct timeline_curl {
  CURL *easy;
  char error[CURL_ERROR_SIZE];
  unsigned char *body;
  size_t length, room;
  long long date;
};

struct timeline_curl *timeline_curl_open(void) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return NULL;
  struct timeline_curl *connection = calloc(1, sizeof *connection);
  if (connection) connection->easy = curl_easy_init();
  if (connection && connection->easy) return connection;
  free(connection);
  return NULL;
}

void timeline_curl_close(struct timeline_curl *connection) {
  curl_easy_cleanup(connection->easy);
  free(connection->body);
  free(connection);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  struct timeline_curl *connection = context;
  size_t more = size * count;
  if (connection->length + more > RESPONSE_MAX) return 0;
  if (connection->length + more > connection->room) {
    size_t room = 2 * (connection->length + more);
    unsigned char *body = realloc(connection->body, room);
    if (!body) return 0;
    connection->body = body;
    connection->room = room;
  }
  memcpy(connection->body + connection->length, bytes, more);
  connection->length += more;
  return more;
}

static size_t take_head(char *bytes, size_t size, size_t count, void *context) {
  struct timeline_curl *connection = context;
  static const char name[] = "date:";
  char text[64];
  size_t length = size * count, rest = length - (sizeof name - 1);
  if (length > sizeof name && rest < sizeof text && strncasecmp(bytes, name, sizeof name - 1) == 0) {
    memcpy(text, bytes + sizeof name - 1, rest);
    text[rest] = 0;
    connection->date = curl_getdate(text, NULL);
  }
  return length;
}

static struct curl_slist *headers(const char *token) {
  struct curl_slist *list = curl_slist_append(NULL, "Content-Type: application/json");
  static const char name[] = "Authorization: ";
  if (!list || !token) return list;
  char *line = malloc(sizeof name + strlen(token));
  struct curl_slist *longer = NULL;
  if (line) {
    strcpy(stpcpy(line, name), token);
    longer = curl_slist_append(list, line);
    free(line);
  }
  if (!longer) curl_slist_free_all(list);
  return longer;
}

static void prepare(struct timeline_curl *connection, const struct timeline_curl_request *request) {
  CURL *easy = connection->easy;
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, connection->error);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "timeline-store");
  curl_easy_setopt(easy, CURLOPT_URL, request->url);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->length);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, request->limit_milliseconds);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, connection);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, connection);
  if (request->certificate) curl_easy_setopt(easy, CURLOPT_SSLCERT, request->certificate);
  if (request->key) curl_easy_setopt(easy, CURLOPT_SSLKEY, request->key);
  if (request->authority) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, request->authority);
    /* Otherwise the system's directory of authorities counts, too. */
    curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
  }
}

struct timeline_curl_reply timeline_curl_post(struct timeline_curl *connection, const struct timeline_curl_request *request) {
  struct timeline_curl_reply reply = {.date = -1};
  CURL *easy = connection->easy;
  /* Connections stay open. */
  curl_easy_reset(easy);
  connection->error[0] = 0;
  connection->length = 0;
  connection->date = -1;
  struct curl_slist *list = headers(request->token);
  if (!list) {
    reply.error = "out of memory";
    return reply;
  }
  prepare(connection, request);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
  CURLcode code = curl_easy_perform(easy);
  long sent = 0;
  curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &sent);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &reply.status);
  curl_slist_free_all(list);
  reply.was_sent = sent > 0;
  if (code != CURLE_OK) reply.error = connection->error[0] ? connection->error : curl_easy_strerror(code);
  reply.date = connection->date;
  reply.body = connection->body;
  reply.length = connection->length;
  return reply;
}
