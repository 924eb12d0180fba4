internal import Glibc
internal import TimelineCore

/// A system call that fails.
struct SystemCallRule: Hashable {
  /// The name of the call.
  var name: String
  /// The index of the argument that decides.
  var argument: UInt32 = 0
  /// Bits of this argument that decide; 0 if the call always fails.
  var mask: UInt64 = 0
  /// The values of these bits with which it fails.
  var value: UInt64 = 0
  /// The errno value with which it fails.
  var error = EPERM
}

extension SystemCallRule {
  /// Returns the rules of a policy.
  static func rules(of policy: SystemCallPolicy) -> [SystemCallRule] {
    switch policy {
    case .off: []
    case .default: deny(ordinary)
    case .strict: deny(ordinary + special) + namespaces
    }
  }

  private static func deny(_ names: [String]) -> [SystemCallRule] { names.map { SystemCallRule(name: $0) } }

  /// Calls that no command of a crontab needs: they change the kernel itself, or attacks on it have gone through them and programs
  /// that use them do without.
  static let ordinary = [
    "delete_module", "finit_module", "init_module",
    "kexec_file_load", "kexec_load",
    "io_uring_enter", "io_uring_register", "io_uring_setup",
    "userfaultfd",
  ]

  /// Calls that manage a machine or look into other processes.
  static let special = [
    // File systems.
    "chroot", "fsconfig", "fsmount", "fsopen", "fspick", "mount", "mount_setattr", "move_mount", "open_tree",
    "pivot_root", "quotactl", "quotactl_fd", "swapoff", "swapon", "umount", "umount2",
    // The machine, its names and its clock.
    "acct", "adjtimex", "clock_adjtime", "clock_adjtime64", "clock_settime", "clock_settime64", "reboot",
    "setdomainname", "sethostname", "settimeofday", "stime", "syslog", "vhangup",
    // Hardware and modes of the processor.
    "ioperm", "iopl", "modify_ldt", "personality", "vm86", "vm86old",
    // Other processes, and the kernel's own instruments.
    "bpf", "fanotify_init", "kcmp", "lookup_dcookie", "perf_event_open", "pidfd_getfd", "process_madvise",
    "process_vm_readv", "process_vm_writev", "ptrace",
    // Keys of the kernel, and files by numbers instead of paths.
    "add_key", "keyctl", "open_by_handle_at", "request_key",
  ]

  /// Making and entering namespaces. The flags of clone3 are in memory, where no filter can see them; programs take ENOSYS for an old
  /// kernel and use clone.
  private static let namespaces: [SystemCallRule] =
    namespaceFlags.flatMap { flag in
      ["clone", "unshare"].map { SystemCallRule(name: $0, mask: flag, value: flag) }
    } + [
      // CLONE_NEWTIME is for unshare alone: to clone its bit is part of a signal's number.
      SystemCallRule(name: "unshare", mask: 0x80, value: 0x80), SystemCallRule(name: "setns"),
      SystemCallRule(name: "clone3", error: ENOSYS),
    ]

  /// CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID and CLONE_NEWNET.
  private static let namespaceFlags: [UInt64] = [
    0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
  ]

  /// The first number of calls that are newer than these lists: those of Linux 6.15, open_tree_attr among them. In a strict sandbox they
  /// fail with ENOSYS, as on an older kernel, because a list cannot name them. All architectures share the numbers from 424 on.
  static let newerNumbersStart: UInt32 = 467

  /// Ways to empty a file that Landlock of before Linux 6.2 does not know: by its path, and by opening it with O_TRUNC but not to write,
  /// or for nothing, which the access mode 3 is. The flags of openat2 and of requests to io_uring are in memory, where no filter can
  /// see them.
  static let emptying: [SystemCallRule] =
    deny(["truncate", "truncate64", "io_uring_setup"]) + [SystemCallRule(name: "openat2", error: ENOSYS)]
    + [("open", 1), ("openat", 2), ("open_by_handle_at", 2)].flatMap { name, argument in
      [0, O_ACCMODE].map {
        SystemCallRule(
          name: name, argument: argument, mask: UInt64(O_ACCMODE | O_TRUNC), value: UInt64($0 | O_TRUNC))
      }
    }
}
