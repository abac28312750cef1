// SPDX-License-Identifier: Apache-2.0
// What Swift cannot see of libmicrohttpd: its variadic functions.
#pragma once

#include <microhttpd.h>
#include <stdint.h>

/// Takes one line that the library logs, with the pointer given to bs_http_start.
typedef void (*bs_http_log)(void *context, const char *line);

/// Starts a daemon with one epoll thread that may suspend connections; NULL on failure, which is
/// then logged. `host` is a numeric IPv4 or IPv6 address; port 0 asks the system for one.
struct MHD_Daemon *bs_http_start(const char *host, uint16_t port, unsigned int idle_seconds,
                                 MHD_AccessHandlerCallback access,
                                 void *(*begin)(void *, const char *, struct MHD_Connection *),
                                 MHD_RequestCompletedCallback completed, bs_http_log log,
                                 void *context);

/// The port that a daemon listens on; 0 if unknown.
uint16_t bs_http_port(struct MHD_Daemon *daemon);

/// The descriptor of a connection; -1 if unknown. Valid while the connection is suspended.
int bs_http_socket(struct MHD_Connection *connection);

/// Whether the peer has closed a connection, or its half of it.
int bs_http_peer_is_gone(int descriptor);

/// The size that stands for a body of unknown length.
uint64_t bs_http_unknown_size(void);
