#include "CSeccomp.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// The other architecture whose programs each of these runs: without it its calls would be taken for unknown ones.
static int add_other_architecture(scmp_filter_ctx filter) {
  switch (seccomp_arch_native()) {
  case SCMP_ARCH_X86_64: return seccomp_arch_add(filter, SCMP_ARCH_X86);
  case SCMP_ARCH_AARCH64: return seccomp_arch_add(filter, SCMP_ARCH_ARM);
  default: return 0;
  }
}

struct timeline_filter *timeline_filter_make(void) {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) return NULL;
  // Calls of other architectures fail and kill nobody.
  seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
  // Whoever enters has given up gaining privileges, or needs no permission.
  seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0);
  // What fails is in the kernel's audit log, where the kernel can.
  seccomp_attr_set(filter, SCMP_FLTATR_CTL_LOG, 1);
  // Kernels before 5.16 take a filter for a reason to slow the process down against attacks from within, which is for interpreters of
  // foreign code to ask for.
  seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
  if (add_other_architecture(filter) != 0) {
    seccomp_release(filter);
    return NULL;
  }
  return (struct timeline_filter *)filter;
}

int timeline_filter_deny(
  struct timeline_filter *filter, const char *name, unsigned argument, uint64_t mask, uint64_t value, int error) {
  const int number = seccomp_syscall_resolve_name(name);
  if (number == __NR_SCMP_ERROR) return EINVAL;
  const struct scmp_arg_cmp has_value = SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, mask, value);
  return -seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(error), number, mask ? 1 : 0, &has_value);
}

int timeline_filter_enter(struct timeline_filter *filter) { return -seccomp_load(filter); }

int timeline_filter_enter_below(uint32_t first) {
  // ARM's own calls, by which its programs set up their threads, are from here on.
  const uint32_t private_calls = 0xf0000;
  struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first, 0, 2),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, private_calls, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {.len = sizeof steps / sizeof steps[0], .filter = steps};
  const unsigned flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0) return 0;
  // Linux before 4.17 does not know the flag.
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}

void timeline_filter_free(struct timeline_filter *filter) { seccomp_release(filter); }
