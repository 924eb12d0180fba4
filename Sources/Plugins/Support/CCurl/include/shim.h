/*
 * libcurl for Swift, which cannot call functions with a variable number of arguments.
 */
#ifndef TIMELINED_CURL_H
#define TIMELINED_CURL_H

#include <curl/curl.h>

/* All return what curl_easy_setopt and curl_easy_getinfo return. Text is copied by libcurl. */
static inline CURLcode timelined_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode timelined_curl_set_size(CURL *handle, CURLoption option, long long value) {
  return curl_easy_setopt(handle, option, (curl_off_t)value);
}
static inline CURLcode timelined_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
/* libcurl keeps the list; it is the caller's to free after the transfer. */
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
/* Absolute URL that the response redirects to, or NULL; libcurl's until the next transfer. */
static inline const char *timelined_curl_redirect(CURL *handle) {
  const char *url = NULL;
  curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url);
  return url;
}
/* Duration of the transfer in microseconds. */
static inline long long timelined_curl_duration(CURL *handle) {
  curl_off_t duration = 0;
  curl_easy_getinfo(handle, CURLINFO_TOTAL_TIME_T, &duration);
  return duration;
}
/* Takes the one transfer of `multi` off its list of finished ones: 1 and its code, or 0 while it runs. */
static inline int timelined_curl_finished(CURLM *multi, CURLcode *code) {
  int left = 0;
  CURLMsg *message = curl_multi_info_read(multi, &left);
  if (message == NULL || message->msg != CURLMSG_DONE) return 0;
  *code = message->data.result;
  return 1;
}
/* Loads libcurl before any of its functions is called; NULL, or the reason why it cannot be loaded. */
const char *timelined_curl_start(void);

#endif
