// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

/// Starts a program in a process group of its own, with standard input from `/dev/null` or a pipe.
///
/// In C because only async-signal-safe calls are allowed between fork and exec. The caller's thread
/// must live as long as the child: Linux kills the child when the thread that forked it ends.
///
/// `input`, `output` and `error` are descriptors for the child's 0, 1 and 2, or -1 for `/dev/null`.
/// Returns the process id, or minus the errno of fork or exec.
int32_t bs_spawn(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments, int input, int output,
    int error);

/// Makes a pipe that no child inherits; in C because `pipe2` needs `_GNU_SOURCE`. 0 or minus errno.
int bs_pipe(int *_Nonnull ends);

/// Waits until the process has ended, without reaping it: its id cannot be reused meanwhile.
int bs_wait_until_ended(int32_t process);

/// Reaps an ended process; returns its exit status, or 128 plus the signal that ended it.
int bs_reap(int32_t process);

/// Sends a signal to the process group of a child that is not reaped yet.
void bs_signal_group(int32_t process, int signal);
