// SPDX-License-Identifier: Apache-2.0
#include "CCurlShims.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// How long one wait may last before the cancel check is asked again.
#define WAIT_MILLISECONDS 50

struct curlshim_handle {
  CURLM *multi;
  CURL *easy;
};

int32_t curlshim_prepare(void) { return (int32_t)curl_global_init(CURL_GLOBAL_DEFAULT); }

curlshim_handle *curlshim_create(void) {
  curlshim_handle *handle = calloc(1, sizeof *handle);
  if (!handle) return NULL;
  handle->multi = curl_multi_init();
  handle->easy = curl_easy_init();
  if (!handle->multi || !handle->easy) {
    curlshim_destroy(handle);
    return NULL;
  }
  return handle;
}

void curlshim_destroy(curlshim_handle *handle) {
  if (!handle) return;
  if (handle->easy) curl_easy_cleanup(handle->easy);
  if (handle->multi) curl_multi_cleanup(handle->multi);
  free(handle);
}

static int32_t kind_of(CURLcode code) {
  switch (code) {
    case CURLE_OK: return curlshim_ok;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_INTERFACE_FAILED: return curlshim_unreachable;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR: return curlshim_lost;
    case CURLE_OPERATION_TIMEDOUT: return curlshim_timeout;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_USE_SSL_FAILED:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_SHUTDOWN_FAILED:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS: return curlshim_tls;
    case CURLE_PARTIAL_FILE: return curlshim_truncated;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_UNSUPPORTED_PROTOCOL: return curlshim_protocol;
    case CURLE_ABORTED_BY_CALLBACK: return curlshim_cancelled;
    case CURLE_WRITE_ERROR: return curlshim_stopped;
    case CURLE_URL_MALFORMAT: return curlshim_invalid;
    default: return curlshim_other;
  }
}

static size_t take_header(char *bytes, size_t size, size_t count, void *user) {
  const curlshim_request *request = user;
  return request->on_header(request->context, (const uint8_t *)bytes, size * count);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *user) {
  const curlshim_request *request = user;
  return request->on_body(request->context, (const uint8_t *)bytes, size * count);
}

// A program started while a transfer runs must not inherit the socket.
static int close_on_exec(void *user, curl_socket_t socket, curlsocktype purpose) {
  (void)user;
  (void)purpose;
  int flags = fcntl(socket, F_GETFD);
  if (flags >= 0) fcntl(socket, F_SETFD, flags | FD_CLOEXEC);
  return CURL_SOCKOPT_OK;
}

static void set_method(CURL *easy, const curlshim_request *request) {
  if (strcmp(request->method, "HEAD") == 0) {
    curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  } else if (request->has_body || strcmp(request->method, "POST") == 0) {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_count);
    curl_easy_setopt(
      easy, CURLOPT_POSTFIELDS, request->body_count ? (const char *)request->body : "");
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
  } else {
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
  }
}

static void set_up(CURL *easy, const curlshim_request *request, char *text) {
  curl_easy_reset(easy);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, text);
  curl_easy_setopt(easy, CURLOPT_URL, request->url);
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
  // A cancelled transfer does not wait for a name server.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  if (request->ca_file) curl_easy_setopt(easy, CURLOPT_CAINFO, request->ca_file);
  if (request->user_agent) curl_easy_setopt(easy, CURLOPT_USERAGENT, request->user_agent);
  if (request->no_proxy) curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_milliseconds);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)request->total_milliseconds);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, close_on_exec);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, (void *)request);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, (void *)request);
  set_method(easy, request);
}

// The lines as curl's list; NULL with *failed set when memory is out.
static struct curl_slist *header_list(const curlshim_request *request, int *failed) {
  struct curl_slist *list = NULL;
  for (size_t index = 0; index < request->header_count; index++) {
    struct curl_slist *longer = curl_slist_append(list, request->headers[index]);
    if (!longer) {
      curl_slist_free_all(list);
      *failed = 1;
      return NULL;
    }
    list = longer;
  }
  return list;
}

// Drives the transfer to its end, or until the check says that it is to be given up.
static CURLcode drive(curlshim_handle *handle, const curlshim_request *request) {
  if (curl_multi_add_handle(handle->multi, handle->easy) != CURLM_OK) return CURLE_FAILED_INIT;
  CURLcode result = CURLE_FAILED_INIT;
  int running = 1;
  while (running) {
    if (request->is_cancelled(request->context)) {
      result = CURLE_ABORTED_BY_CALLBACK;
      break;
    }
    if (curl_multi_perform(handle->multi, &running) != CURLM_OK) break;
    if (running && curl_multi_poll(handle->multi, NULL, 0, WAIT_MILLISECONDS, NULL) != CURLM_OK) {
      break;
    }
  }
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(handle->multi, &left))) {
    if (message->msg == CURLMSG_DONE && message->easy_handle == handle->easy) {
      result = message->data.result;
    }
  }
  curl_multi_remove_handle(handle->multi, handle->easy);
  return result;
}

void curlshim_perform(
  curlshim_handle *handle, const curlshim_request *request, curlshim_outcome *outcome) {
  char text[CURL_ERROR_SIZE] = {0};
  memset(outcome, 0, sizeof *outcome);
  set_up(handle->easy, request, text);
  int failed = 0;
  struct curl_slist *headers = header_list(request, &failed);
  if (headers) curl_easy_setopt(handle->easy, CURLOPT_HTTPHEADER, headers);
  CURLcode code = failed ? CURLE_OUT_OF_MEMORY : drive(handle, request);
  long status = 0;
  curl_easy_getinfo(handle->easy, CURLINFO_RESPONSE_CODE, &status);
  outcome->status = status;
  curl_off_t ready = 0;
  curl_easy_getinfo(handle->easy, CURLINFO_PRETRANSFER_TIME_T, &ready);
  outcome->connected = ready > 0;
  outcome->curl_code = (int32_t)code;
  outcome->kind = kind_of(code);
  strncpy(outcome->text, text, sizeof outcome->text - 1);
  strncpy(outcome->general, curl_easy_strerror(code), sizeof outcome->general - 1);
  // Nothing of this call may be reached from the handle afterwards.
  curl_easy_reset(handle->easy);
  curl_slist_free_all(headers);
}

struct thread_start {
  void (*body)(void *);
  void *context;
};

static void *run_thread(void *argument) {
  struct thread_start start = *(struct thread_start *)argument;
  free(argument);
  start.body(start.context);
  return NULL;
}

int32_t curlshim_start_thread(void (*body)(void *), void *context) {
  struct thread_start *start = malloc(sizeof *start);
  if (!start) return -1;
  start->body = body;
  start->context = context;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) {
    free(start);
    return -1;
  }
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // The new thread inherits the mask: signals belong to the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int status = pthread_create(&thread, &attributes, run_thread, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (status != 0) free(start);
  return (int32_t)status;
}
