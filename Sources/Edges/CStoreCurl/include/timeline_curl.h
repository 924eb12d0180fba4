/*
 * One request at a time by libcurl, whose own functions take a variable number of arguments and are not for Swift.
 */
#ifndef TIMELINE_CURL_H
#define TIMELINE_CURL_H

#include <stdbool.h>
#include <stddef.h>

/* A connection that is kept open between requests. */
struct timeline_curl;

/* Parameters of a request; those that do not apply are NULL. No pointer is kept. */
struct timeline_curl_request {
  const char *url;
  /* Value of the header Authorization. */
  const char *token;
  const char *body;
  size_t length;
  /* Paths of files in PEM: the client's certificate and its key, and certificates of authorities. */
  const char *certificate, *key, *authority;
  long limit_milliseconds;
};

struct timeline_curl_reply {
  /* Reason why there is no response, or NULL; valid until the next request. */
  const char *error;
  /* Whether a part of the request was sent. */
  bool was_sent;
  long status;
  /* The header Date in seconds since 1970, or -1. */
  long long date;
  /* The body, valid until the next request. */
  const unsigned char *body;
  size_t length;
};

/* NULL when memory is short. */
struct timeline_curl *timeline_curl_open(void);
void timeline_curl_close(struct timeline_curl *connection);
/* Posts JSON, and waits for the response. */
struct timeline_curl_reply timeline_curl_post(struct timeline_curl *connection, const struct timeline_curl_request *request);

#endif
