// The sandbox of the program: it needs its descriptors and memory, and nothing else of the kernel.
#include "calendar.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#endif

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define FAIL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
// The next step only if the value is that number.
#define IF(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1)
// The third argument, whose low half comes first on these machines, without the bit for code.
#define UNLESS_CODE FIELD(args[2]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), FAIL, ALLOW

// All system calls but a few fail: to read and write what is open, and to have memory that holds no code.
static void filter_calls(void) {
#ifdef NATIVE
  struct sock_filter steps[] = {
    FIELD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0), FAIL, FIELD(nr),
    IF(SYS_read), ALLOW, IF(SYS_write), ALLOW, IF(SYS_close), ALLOW, IF(SYS_lseek), ALLOW, IF(SYS_fstat), ALLOW,
    IF(SYS_brk), ALLOW, IF(SYS_munmap), ALLOW, IF(SYS_mremap), ALLOW, IF(SYS_madvise), ALLOW,
    IF(SYS_futex), ALLOW, IF(SYS_getrandom), ALLOW, IF(SYS_clock_gettime), ALLOW, IF(SYS_gettimeofday), ALLOW,
    IF(SYS_rt_sigreturn), ALLOW, IF(SYS_rt_sigprocmask), ALLOW, IF(SYS_restart_syscall), ALLOW,
    // To abort.
    IF(SYS_getpid), ALLOW, IF(SYS_gettid), ALLOW, IF(SYS_tgkill), ALLOW,
    IF(SYS_exit), ALLOW, IF(SYS_exit_group), ALLOW,
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 4), UNLESS_CODE,
    FAIL,
  };
  const struct sock_fprog program = {.len = sizeof steps / sizeof steps[0], .filter = steps};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}

// No file is opened, made, removed or renamed. The bits of the first version of Landlock are all that it takes.
static void deny_files(void) {
  const struct landlock_ruleset_attr rights = {.handled_access_fs = (1 << 13) - 1};
  const int rules = (int)syscall(SYS_landlock_create_ruleset, &rights, sizeof rights, 0);
  if (rules < 0) return;
  syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}

void enter_sandbox(void) {
  const struct rlimit none = {0, 0};
  deny_files();
  // The rules of Landlock have taken the last new descriptor.
  if (setrlimit(RLIMIT_NOFILE, &none) != 0) _exit(2);
  filter_calls();
}
