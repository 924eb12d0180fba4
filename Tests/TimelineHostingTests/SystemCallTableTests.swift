import Foundation
import Testing
import TimelineCore

@testable import TimelineSandbox

/// The kernel's table of system calls, and the treatment of each by a strict sandbox.
@Suite struct SystemCallTableTests {
  /// Calls that a strict sandbox allows, or denies only with some flags, by the reason.
  private static let left = [
    // Calls that kernels removed or never had.
    """
      _sysctl afs_syscall bdflush break create_module epoll_ctl_old epoll_wait_old ftime get_kernel_syms
      getpmsg gtty idle lock mpx nfsservctl prof profil putpmsg query_module security stty tuxcall ulimit
      uselib vserver pciconfig_iobase pciconfig_read pciconfig_write
    """,
    // Calls for files with the user's rights: `writable` restricts changes.
    """
      _llseek access arm_fadvise64_64 arm_sync_file_range chdir chmod chown chown32 close close_range
      copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64 fadvise64_64 fallocate fchdir fchmod
      fchmodat fchmodat2 fchown fchown32 fchownat fcntl fcntl64 fdatasync fgetxattr flistxattr flock
      fremovexattr fsetxattr fstat fstat64 fstatat64 fstatfs fstatfs64 fsync ftruncate ftruncate64 futimesat
      getcwd getdents getdents64 getxattr getxattrat ioctl lchown lchown32 lgetxattr link linkat listxattr
      listxattrat llistxattr lremovexattr lseek lsetxattr lstat lstat64 mkdir mkdirat mknod mknodat
      name_to_handle_at newfstatat oldfstat oldlstat oldstat open openat openat2 pread64 preadv preadv2
      pwrite64 pwritev pwritev2 read readahead readdir readlink readlinkat readv removexattr removexattrat
      fstatat rename renameat renameat2 rmdir setxattr setxattrat stat stat64 statfs statfs64 statx symlink symlinkat
      sync sync_file_range sync_file_range2 syncfs truncate truncate64 unlink unlinkat utime utimensat
      utimensat_time64 utimes write writev
    """,
    // Calls by which a process reads its identity and gives up rights.
    """
      arch_prctl capget capset getegid getegid32 geteuid geteuid32 getgid getgid32 getgroups getgroups32
      getresgid getresgid32 getresuid getresuid32 getuid getuid32 landlock_add_rule landlock_create_ruleset
      landlock_restrict_self lsm_get_self_attr lsm_list_modules lsm_set_self_attr prctl seccomp setfsgid
      setfsgid32 setfsuid setfsuid32 setgid setgid32 setgroups setgroups32 setregid setregid32 setresgid
      setresgid32 setresuid setresuid32 setreuid setreuid32 setuid setuid32
    """,
    // Calls that read the time and wait for it.
    """
      alarm clock_getres clock_getres_time64 clock_gettime clock_gettime64 clock_nanosleep
      clock_nanosleep_time64 getitimer gettimeofday nanosleep setitimer time timer_create timer_delete
      timer_getoverrun timer_gettime timer_gettime64 timer_settime timer_settime64 timerfd_create
      timerfd_gettime timerfd_gettime64 timerfd_settime timerfd_settime64 times
    """,
    // Calls for sockets, pipes, queues and waiting for them.
    """
      _newselect accept accept4 bind connect epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2
      epoll_wait eventfd eventfd2 fanotify_mark getpeername getsockname getsockopt inotify_add_watch
      inotify_init inotify_init1 inotify_rm_watch io_cancel io_destroy io_getevents io_pgetevents
      io_pgetevents_time64 io_setup io_submit ipc listen mq_getsetattr mq_notify mq_open mq_timedreceive
      mq_timedreceive_time64 mq_timedsend mq_timedsend_time64 mq_unlink msgctl msgget msgrcv msgsnd pipe pipe2
      poll ppoll ppoll_time64 pselect6 pselect6_time64 recv recvfrom recvmmsg recvmmsg_time64 recvmsg select
      semctl semget semop semtimedop semtimedop_time64 send sendfile sendfile64 sendmmsg sendmsg sendto
      setsockopt shmat shmctl shmdt shmget shutdown signalfd signalfd4 socket socketcall socketpair splice tee
      vmsplice
    """,
    // Calls for memory of the process itself; access to other processes needs the right to trace them.
    """
      brk futex futex_requeue futex_time64 futex_wait futex_waitv futex_wake get_mempolicy get_robust_list
      get_thread_area madvise map_shadow_stack mbind membarrier memfd_create memfd_secret migrate_pages
      mincore mlock mlock2 mlockall mmap mmap2 move_pages mprotect mremap mseal msync munlock munlockall
      munmap pkey_alloc pkey_free pkey_mprotect remap_file_pages rseq set_mempolicy set_mempolicy_home_node
      set_robust_list set_thread_area set_tid_address
    """,
    // Calls for processes that the run starts, and signals.
    """
      clone execve execveat exit exit_group fork getpgid getpgrp getpid getppid getpriority getrlimit
      getrusage getsid gettid ioprio_get ioprio_set kill nice pause pidfd_open pidfd_send_signal prlimit64
      process_mrelease restart_syscall rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn
      rt_sigsuspend rt_sigtimedwait rt_sigtimedwait_time64 rt_tgsigqueueinfo sched_get_priority_max
      sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
      sched_rr_get_interval sched_rr_get_interval_time64 sched_setaffinity sched_setattr sched_setparam
      sched_setscheduler sched_yield setpgid setpriority setrlimit setsid sgetmask sigaction sigaltstack
      signal sigpending sigprocmask sigreturn sigsuspend ssetmask tgkill tkill ugetrlimit umask unshare vfork
      wait4 waitid waitpid
    """,
    // Calls that read facts about the machine.
    """
      cachestat getcpu getrandom listmount oldolduname olduname statmount sysfs sysinfo uname ustat
    """,
  ]

  /// Tables of the kernel for this architecture and its 32-bit variant, from the headers of the C library.
  private static let tables =
    ["x86_64-linux-gnu", "aarch64-linux-gnu", "arm-linux-gnueabihf"].flatMap { machine in
      ["unistd_64.h", "unistd_32.h", "unistd-common.h"].map { "/usr/include/\(machine)/asm/\($0)" }
    } + ["/usr/include/asm-generic/unistd.h"]

  /// Numbers of calls by their names.
  private static func calls(in table: String) -> [String: UInt32] {
    var calls: [String: UInt32] = [:]
    for match in table.matches(of: /#define __NR3?2?6?4?_(\w+)\s+(\d+)\s/) {
      calls[String(match.1)] = UInt32(match.2)
    }
    return calls
  }

  @Test
  func `each call of the kernel either fails in a strict sandbox or is in the list of allowed calls`()
    throws
  {
    let left = Set(Self.left.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) })
    let denied = Set(SystemCallRule.rules(of: .strict).map(\.name))
    let calls = Self.tables.compactMap { FileManager.default.contents(atPath: $0) }
      .map { Self.calls(in: String(decoding: $0, as: UTF8.self)) }
    #expect(calls.contains { $0.count > 250 }, "no table was found")
    let noCalls = ["arch_specific_syscall", "syscalls"]
    for (name, number) in calls.joined()
    where !noCalls.contains(name) && number < SystemCallRule.newerNumbersStart {
      #expect(denied.contains(name) || left.contains(name), "\(name) (\(number)) is in no list")
    }
    // Calls that are denied only with some flags are in both.
    #expect(denied.intersection(left) == ["clone", "unshare"])
  }
}
