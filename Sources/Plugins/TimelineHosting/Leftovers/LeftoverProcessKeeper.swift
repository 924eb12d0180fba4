internal import TimelineSystem
internal import TimelineWire

/// The parent of leftovers of a run that may go on running: a former host with no other function.
///
/// Leftovers cannot be given to another process, and would become children of the daemon if the host ended. So the host
/// stays, without its plugin, its threads and its memory: it executes its own program again, which keeps its children. Its
/// working directory is the root directory, and it has no descriptor of the daemon or the job. It ends when the last child
/// has ended.
enum LeftoverProcessKeeper {
  /// The command-line option that starts the program in this mode.
  static let option = "--keep-leftovers"
  /// Time limit for the plugin to close its instances.
  private static let closingMilliseconds: CInt = 2_000

  /// Makes this process the parent of the leftovers of the run of `job`. Calls `close` first, but waits for at most 2 s.
  static func begin(job: String, _ close: () -> Void) -> Never {
    _ = HostSystem.startThread {
      HostSystem.pause(milliseconds: closingMilliseconds)
      execute(job)
    }
    close()
    execute(job)
  }

  private static func execute(_ job: String) -> Never {
    HostSystem.leaveDescriptors()
    HostSystem.executeSelf(arguments: ["timeline-host: keeps what job \(job) has left running", option])
    // Memory is too short to execute a program: this process waits itself.
    ProcessTree.awaitAllChildren()
    HostSystem.exitNow(HostExitStatus.success)
  }

  /// Waits for the end of the child processes of this program.
  static func run() -> CInt {
    HostSystem.obeyTermination()
    CurrentProcess.setName("timeline-host")
    ProcessTree.awaitAllChildren()
    return HostExitStatus.success
  }
}
