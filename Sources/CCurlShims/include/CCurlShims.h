// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

// One HTTP transfer at a time over libcurl, whose curl_easy_setopt is variadic and so invisible to
// Swift. A handle keeps its connections alive between transfers and belongs to one thread at a time.

/// How a transfer ended. Grouped here because curl's numbers say more than a caller can use.
enum : int32_t {
  curlshim_ok = 0,
  curlshim_unreachable,
  curlshim_lost,
  curlshim_timeout,
  curlshim_tls,
  curlshim_truncated,
  curlshim_protocol,
  curlshim_cancelled,
  curlshim_stopped,
  curlshim_invalid,
  curlshim_other,
};

/// Room for one sentence of curl's.
enum : int32_t { curlshim_text_size = 256 };

/// Takes bytes of the answer; returns `count` to go on, anything else to stop.
typedef size_t (*curlshim_sink)(void *context, const uint8_t *bytes, size_t count);
/// Returns non-zero when the transfer is to be given up.
typedef int (*curlshim_check)(void *context);

/// What to send and under which limits. Strings end with zero; NULL where not wanted.
typedef struct curlshim_request {
  const char *url;
  const char *method;
  /// Ready lines, "Name: value" (or "Name;" for an empty value).
  const char *const *headers;
  size_t header_count;
  /// The body; used when `has_body` is not 0.
  const uint8_t *body;
  size_t body_count;
  int32_t has_body;
  const char *ca_file;
  const char *user_agent;
  /// Not 0: never go through a proxy, whatever the environment says.
  int32_t no_proxy;
  int64_t connect_milliseconds;
  int64_t total_milliseconds;
  void *context;
  curlshim_sink on_header;
  curlshim_sink on_body;
  curlshim_check is_cancelled;
} curlshim_request;

/// What became of it.
typedef struct curlshim_outcome {
  int32_t kind;
  int32_t curl_code;
  int64_t status;
  /// Not 0 once a connection stood, TLS included.
  int32_t connected;
  /// curl's own sentence for this transfer; may hold parts of the URL.
  char text[256];
  /// curl's general sentence for the code; holds nothing of the request.
  char general[256];
} curlshim_outcome;

typedef struct curlshim_handle curlshim_handle;

/// Prepares libcurl; once a process, before any other call. Returns 0 when it worked.
int32_t curlshim_prepare(void);
/// Makes a handle, or NULL when memory is out.
curlshim_handle *curlshim_create(void);
/// Frees a handle with its connections.
void curlshim_destroy(curlshim_handle *handle);
/// Does one transfer, without following redirects, and blocks until it ended.
void curlshim_perform(
  curlshim_handle *handle, const curlshim_request *request, curlshim_outcome *outcome);
/// Runs `body(context)` on a new detached thread with all signals blocked. Returns 0 when it started.
int32_t curlshim_start_thread(void (*body)(void *), void *context);
