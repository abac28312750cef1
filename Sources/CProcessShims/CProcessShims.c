// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CProcessShims.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_child(
    const char *path, char *const *arguments, const int standard[3], int null, int report,
    pid_t parent) {
  setpgid(0, 0);
  // Ignored signals and a blocked mask would survive exec.
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  // Moved out of the way first, so that no dup2 below overwrites one that is still needed.
  int moved[3];
  for (int i = 0; i < 3; i++) {
    moved[i] = fcntl(standard[i] >= 0 ? standard[i] : null, F_DUPFD_CLOEXEC, 3);
  }
  for (int i = 0; i < 3; i++) dup2(moved[i], i);
  close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  execvp(path, arguments);
  int fault = errno;
  (void)!write(report, &fault, sizeof fault);
  _exit(127);
}

int32_t bs_spawn(
    const char *path, char *const *arguments, int input, int output, int error) {
  int report[2];
  if (pipe2(report, O_CLOEXEC)) return -errno;
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) {
    int fault = errno;
    close(report[0]);
    close(report[1]);
    return -fault;
  }
  const int standard[3] = {input, output, error};
  pid_t parent = getpid();
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pid_t child = fork();
  int fork_fault = errno;
  if (child == 0) run_child(path, arguments, standard, null, report[1], parent);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  close(report[1]);
  close(null);
  if (child < 0) {
    close(report[0]);
    return -fork_fault;
  }
  int fault = 0;
  ssize_t count;
  do {
    count = read(report[0], &fault, sizeof fault);
  } while (count < 0 && errno == EINTR);
  close(report[0]);
  if (count == (ssize_t)sizeof fault) {
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return -fault;
  }
  return child;
}

int bs_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) ? -errno : 0; }

int bs_wait_until_ended(int32_t process) {
  siginfo_t information;
  while (waitid(P_PID, (id_t)process, &information, WEXITED | WNOWAIT)) {
    if (errno != EINTR) return -errno;
  }
  return 0;
}

int bs_reap(int32_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void bs_signal_group(int32_t process, int signal_number) { kill(-process, signal_number); }
