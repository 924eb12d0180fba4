/*
 * libcurl for Swift, which cannot call functions with a variable number of arguments.
 */
#ifndef TIMELINED_CURL_H
#define TIMELINED_CURL_H

#include <curl/curl.h>

/* All these functions return the result of curl_easy_setopt or curl_easy_getinfo. libcurl copies texts. */
static inline CURLcode timelined_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode timelined_curl_set_size(CURL *handle, CURLoption option, long long value) {
  return curl_easy_setopt(handle, option, (curl_off_t)value);
}
static inline CURLcode timelined_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
/* libcurl uses the list until the end of the transfer; the caller frees it after that. */
static inline CURLcode timelined_curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}
/* `buffer` has room for CURL_ERROR_SIZE bytes and lives as long as the handle. */
static inline CURLcode timelined_curl_set_error_buffer(CURL *handle, char *buffer) {
  return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}
static inline CURLcode timelined_curl_set_receiver(CURL *handle, curl_write_callback receiver, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receiver);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}
static inline long timelined_curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
/* Returns the absolute URL that the response redirects to, or NULL. The text belongs to libcurl and is valid until the next
 * transfer. */
static inline const char *timelined_curl_redirect(CURL *handle) {
  const char *url = NULL;
  curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url);
  return url;
}
/* Returns the duration of the transfer in microseconds. */
static inline long long timelined_curl_duration(CURL *handle) {
  curl_off_t duration = 0;
  curl_easy_getinfo(handle, CURLINFO_TOTAL_TIME_T, &duration);
  return duration;
}
/* Returns 0 while the one transfer of `multi` is active. After its end, removes it from the list of finished transfers, sets
 * `code` and returns 1. */
static inline int timelined_curl_finished(CURLM *multi, CURLcode *code) {
  int left = 0;
  CURLMsg *message = curl_multi_info_read(multi, &left);
  if (message == NULL || message->msg != CURLMSG_DONE) return 0;
  *code = message->data.result;
  return 1;
}
/* Loads libcurl; must be called before any function of libcurl. Returns NULL, or the reason why libcurl cannot be loaded. */
const char *timelined_curl_start(void);

#endif
