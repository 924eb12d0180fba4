import TimelineCore
import TimelineDaemon
import TimelineSystem

/// Demonstration for new users: runs the daemon for a minute in a temporary directory, without root and without systemd.
struct Demonstration {
  /// Time after which the demonstration ends by itself. Ctrl-C ends it sooner.
  let length: ElapsedTime

  /// Allowed lengths: 1 s to 1 h, so that the demonstration can be watched.
  static let lengths = ElapsedTime(nanoseconds: 1_000_000_000)...ElapsedTime(nanoseconds: 3_600_000_000_000)

  /// The directory in which the temporary directory is made.
  static var parent: String {
    let named = CurrentProcess.environment["TMPDIR", default: ""]
    return named.isEmpty ? "/tmp" : named
  }

  /// The command for `timelinectl`: the path beside this program if this program was called by a path, otherwise the name.
  private static var tool: String {
    let program = CommandLine.arguments.first ?? ""
    return program.contains("/") ? program.parentDirectory.appending(fileName: "timelinectl") : "timelinectl"
  }

  /// Runs the sample jobs with the plugins and the plugin host at the given paths; `nil` is the installed place.
  func run(plugins: String?, host: String?) throws -> DaemonExit {
    let path = Self.parent.appending(fileName: "timelined-demo-\(CurrentProcess.pid)")
    try Self.makeDirectory(path)
    defer { remove(path) }
    let socket = path + "/control.sock"
    let options = try DaemonOptions(
      configurationPath: path + "/demo.toml", statePath: path, controlPath: socket,
      pluginDirectories: plugins,
      hostPath: host, clock: "system", from: nil)
    CurrentProcess.print(introduction(socket))
    try CurrentProcess.terminate(after: length)
    let exit = DaemonMain.run(options)
    if exit == .success { CurrentProcess.print(Self.farewell) }
    return exit
  }

  /// Makes the directory with the configuration. Releases the lock of the directory, so that the daemon can lock it.
  private static func makeDirectory(_ path: String) throws(SystemError) {
    let directory = try PrivateDirectory(at: path)
    try directory.add(
      "demo.toml", Array(configuration.utf8), user: CurrentProcess.effectiveUser,
      group: CurrentProcess.effectiveGroup)
  }

  private func remove(_ path: String) {
    do {
      try PrivateDirectory.remove(at: path)
    } catch {
      CurrentProcess.printError("timelined: warning: \(path) is left: \(error.plainReason): remove it\n")
    }
  }

  /// The sample jobs, with commands that each Linux has.
  static let configuration = """
    [daemon]
    drain-timeout = "1s"

    [job.line]
    plugin   = "log"
    schedule = { periodic = { by = "3s" } }
    with     = { message = "a line for the entry {nominal}" }

    [job.command]
    plugin   = "exec"
    schedule = { periodic = { by = "5s" } }
    with     = { command = ["echo", "hello from a command"] }

    [job.slow]
    plugin   = "exec"
    schedule = { periodic = { by = "4s" } }
    with     = { command = ["sleep", "6"] }

    [job.flaky]
    plugin     = "exec"
    schedule   = { periodic = { by = "10s" } }
    with       = { command = ["false"] }
    retry      = { attempts = 2, backoff = { from = "1s", to = "1s" } }
    on-failure = "alarm"

    [job.alarm]
    plugin   = "log"
    schedule = "on-demand"
    with     = { message = "{upstream-job} failed: {upstream-reason}", level = "warning" }

    """

  private func introduction(_ socket: String) -> String {
    """
    Demonstration of timelined, \(length). Ctrl-C ends it sooner. Five jobs:

      line     writes a line to the log every 3 s
      command  runs a command every 5 s
      slow     is due every 4 s and takes 6 s: an entry that is due meanwhile is dropped, and its outcome is `overlapped`
      flaky    fails every 10 s, is tried again 1 s later, and fails for good
      alarm    runs because `flaky` failed

    Below, each line has the time, the job and what happened. "late" is the time from the entry to its start. Commands for a second terminal:

      \(Self.tool) --socket \(socket) list
      \(Self.tool) --socket \(socket) why slow


    """
  }

  private static var farewell: String {
    """

    The demonstration has ended, and its directory is removed. What comes next:

      \(tool) next '30 2 * * *'  # when a rule is due

    Once it is installed:

      man timelined  # the daemon, and where its configuration is
      timelinectl check  # all errors of the configuration
      timelinectl dry-run --for 1d  # what it would do

    """
  }
}
