// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct logging {
  bs_http_log log;
  void *context;
};

// Lines are formatted here, since a va_list cannot pass into Swift.
static _Thread_local struct logging starting;

static void log_line(void *unused, const char *format, va_list arguments) {
  (void)unused;
  if (!starting.log) return;  // after the start nobody reads them
  char line[512];
  vsnprintf(line, sizeof line, format, arguments);
  starting.log(starting.context, line);
}

struct MHD_Daemon *bs_http_start(const char *host, uint16_t port, unsigned int idle_seconds,
                                 MHD_AccessHandlerCallback access,
                                 void *(*begin)(void *, const char *, struct MHD_Connection *),
                                 MHD_RequestCompletedCallback completed, bs_http_log log,
                                 void *context) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  unsigned int flags =
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
  void *address = NULL;
  if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
    address = &v4;
  } else if (inet_pton(AF_INET6, host, &v6.sin6_addr) == 1) {
    address = &v6;
    flags |= MHD_USE_IPv6;
  } else {
    log(context, "the host is no numeric address");
    return NULL;
  }
  struct MHD_OptionItem items[] = {
      {MHD_OPTION_SOCK_ADDR, 0, address},
      {MHD_OPTION_CONNECTION_TIMEOUT, (intptr_t)idle_seconds, NULL},
      {MHD_OPTION_LISTENING_ADDRESS_REUSE, 1, NULL},
      {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)begin, context},
      {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, context},
      {MHD_OPTION_END, 0, NULL}};
  starting = (struct logging){log, context};
  // The logger goes first, or faults in the later options are lost.
  struct MHD_Daemon *daemon =
      MHD_start_daemon(flags, port, NULL, NULL, access, context, MHD_OPTION_EXTERNAL_LOGGER,
                       log_line, NULL, MHD_OPTION_ARRAY, items, MHD_OPTION_END);
  starting = (struct logging){NULL, NULL};
  return daemon;
}

uint16_t bs_http_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

int bs_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

int bs_http_peer_is_gone(int descriptor) {
  struct pollfd poll_for = {.fd = descriptor, .events = POLLRDHUP};
  return poll(&poll_for, 1, 0) > 0 && (poll_for.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

uint64_t bs_http_unknown_size(void) { return MHD_SIZE_UNKNOWN; }
