internal import Glibc
internal import TimelineCore

/// A system call that fails.
struct SystemCallRule: Hashable {
  var name: String
  /// The index of the argument that decides whether the call fails.
  var argument: UInt32 = 0
  /// The bits of this argument that are compared with ``value``; 0 if the call always fails.
  var mask: UInt64 = 0
  /// The value of these bits with which the call fails.
  var value: UInt64 = 0
  /// The errno value of the failure.
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

  /// Calls that no command of a crontab needs. They change the kernel itself, or attacks on the kernel have used them and
  /// programs work without them.
  static let ordinary = [
    "delete_module", "finit_module", "init_module",
    "kexec_file_load", "kexec_load",
    "io_uring_enter", "io_uring_register", "io_uring_setup",
    "userfaultfd",
  ]

  /// Calls that manage a machine or inspect other processes.
  static let special = [
    // File systems.
    "chroot", "fsconfig", "fsmount", "fsopen", "fspick", "mount", "mount_setattr", "move_mount", "open_tree",
    "pivot_root", "quotactl", "quotactl_fd", "swapoff", "swapon", "umount", "umount2",
    // The machine, its names and its clock.
    "acct", "adjtimex", "clock_adjtime", "clock_adjtime64", "clock_settime", "clock_settime64", "reboot",
    "setdomainname", "sethostname", "settimeofday", "stime", "syslog", "vhangup",
    // Hardware and modes of the processor.
    "ioperm", "iopl", "modify_ldt", "personality", "vm86", "vm86old",
    // Inspection of other processes and of the kernel.
    "bpf", "fanotify_init", "kcmp", "lookup_dcookie", "perf_event_open", "pidfd_getfd", "process_madvise",
    "process_vm_readv", "process_vm_writev", "ptrace",
    // Keys of the kernel, and access to files by numbers instead of paths.
    "add_key", "keyctl", "open_by_handle_at", "request_key",
  ]

  /// Creating and entering namespaces. The flags of clone3 are in memory, which no filter can read. So clone3 fails with
  /// ENOSYS: programs then assume an old kernel and use clone.
  private static let namespaces: [SystemCallRule] =
    namespaceFlags.flatMap { flag in
      ["clone", "unshare"].map { SystemCallRule(name: $0, mask: flag, value: flag) }
    } + [
      // CLONE_NEWTIME is valid for unshare only, because in clone its bit is part of a signal number.
      SystemCallRule(name: "unshare", mask: 0x80, value: 0x80), SystemCallRule(name: "setns"),
      SystemCallRule(name: "clone3", error: ENOSYS),
    ]

  /// CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID and CLONE_NEWNET.
  private static let namespaceFlags: [UInt64] = [
    0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
  ]

  /// The first number of calls that are newer than these lists, which include the calls of Linux 6.15, for example
  /// open_tree_attr. In a strict sandbox newer calls fail with ENOSYS as on an older kernel, because the lists cannot name
  /// them. All architectures share the numbers from 424 on.
  static let newerNumbersStart: UInt32 = 467

  /// Ways to empty a file that Landlock does not cover before Linux 6.2: truncating it by its path, and opening it with
  /// O_TRUNC without write access or with the access mode 3, which allows neither reading nor writing. The flags of openat2
  /// and of requests to io_uring are in memory, which no filter can read.
  static let emptying: [SystemCallRule] =
    deny(["truncate", "truncate64", "io_uring_setup"]) + [SystemCallRule(name: "openat2", error: ENOSYS)]
    + [("open", 1), ("openat", 2), ("open_by_handle_at", 2)].flatMap { name, argument in
      [0, O_ACCMODE].map {
        SystemCallRule(
          name: name, argument: argument, mask: UInt64(O_ACCMODE | O_TRUNC), value: UInt64($0 | O_TRUNC))
      }
    }
}
