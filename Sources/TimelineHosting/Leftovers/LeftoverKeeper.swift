internal import TimelineSystem
internal import TimelineWire

/// The second life of a host whose run has left processes behind that are to run on: their parent, and nothing else.
///
/// They cannot be given to another process, and would come to the daemon if the host ended. So the host stays, without its
/// plugin, its threads and its memory: it executes its own program again, which leaves its children as they are. It stands in the
/// root directory, has no descriptor of the daemon's or the job's, and ends when the last of them has ended.
enum LeftoverKeeper {
  /// The option by which the program knows.
  static let option = "--keep-leftovers"
  /// Time for the plugin to close its instances.
  private static let closingMilliseconds: CInt = 2_000

  /// Makes this process the parent of what the run of `job` has left behind, after `close` or when that takes too long.
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
    // No memory for a new program: the old one can wait as well.
    ProcessTree.awaitAllChildren()
    HostSystem.exitNow(HostExitStatus.success)
  }

  /// Waits for the end of the processes that were left to this program.
  static func run() -> CInt {
    HostSystem.obeyTermination()
    CurrentProcess.setName("timeline-host")
    ProcessTree.awaitAllChildren()
    return HostExitStatus.success
  }
}
