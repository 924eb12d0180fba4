// libcurl, loaded when the first job of http is opened. One library contains all bundled plugins. A process that only runs
// commands must neither load libcurl and its dependencies, nor fail where libcurl is not installed.
//
// Each function of libcurl that http calls is defined here and calls the real one. The names stay within this library.
#include "include/shim.h"

#include <dlfcn.h>
#include <stdarg.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FUNCTIONS(F)                                                                                                 \
  F(global_init) F(easy_init) F(easy_reset) F(easy_cleanup) F(easy_setopt) F(easy_getinfo) F(easy_strerror)          \
  F(slist_append) F(slist_free_all) F(multi_init) F(multi_cleanup) F(multi_add_handle) F(multi_remove_handle)        \
  F(multi_perform) F(multi_poll) F(multi_info_read) F(multi_wakeup)

// Written once, by the main thread, before any of the functions is called; multi_wakeup last.
#define MEMBER(name) __typeof__(&curl_##name) name;
static struct { FUNCTIONS(MEMBER) } real;

const char *timelined_curl_start(void) {
  if (real.multi_wakeup) return NULL;
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define FIND(name)                                                                      \
  real.name = (__typeof__(&curl_##name))dlsym(library, "curl_" #name);                  \
  if (!real.name) return dlerror();
  FUNCTIONS(FIND)
  return NULL;
}

CURLcode curl_global_init(long flags) { return real.global_init(flags); }
CURL *curl_easy_init(void) { return real.easy_init(); }
void curl_easy_reset(CURL *handle) { real.easy_reset(handle); }
void curl_easy_cleanup(CURL *handle) { real.easy_cleanup(handle); }
const char *curl_easy_strerror(CURLcode code) { return real.easy_strerror(code); }
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) { return real.slist_append(list, text); }
void curl_slist_free_all(struct curl_slist *list) { real.slist_free_all(list); }
CURLM *curl_multi_init(void) { return real.multi_init(); }
CURLMcode curl_multi_cleanup(CURLM *multi) { return real.multi_cleanup(multi); }
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *handle) { return real.multi_add_handle(multi, handle); }
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *handle) { return real.multi_remove_handle(multi, handle); }
CURLMcode curl_multi_perform(CURLM *multi, int *running) { return real.multi_perform(multi, running); }
CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd extra[], unsigned count, int limit, int *ready) {
  return real.multi_poll(multi, extra, count, limit, ready);
}
CURLMsg *curl_multi_info_read(CURLM *multi, int *left) { return real.multi_info_read(multi, left); }
CURLMcode curl_multi_wakeup(CURLM *multi) { return real.multi_wakeup(multi); }

// The last argument of the next two functions is a long, a curl_off_t or a pointer: all have one size and are passed alike.
_Static_assert(sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *), "a machine of 64 bits");
CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...) {
  va_list arguments;
  va_start(arguments, option);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  return real.easy_setopt(handle, option, value);
}
CURLcode curl_easy_getinfo(CURL *handle, CURLINFO info, ...) {
  va_list arguments;
  va_start(arguments, info);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  return real.easy_getinfo(handle, info, value);
}
