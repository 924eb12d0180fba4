import TimelineSystem

/// The process of a host, whoever started it.
protocol HostedProcess: AnyObject {
  /// Its number, and that of its process group.
  var pid: CInt { get }
  /// Becomes readable when the process has ended.
  var handleRawValue: CInt { get }
  /// Whether it has ended.
  var hasEnded: Bool { get }
  /// Reaps the process if it has ended, and returns its end; with `killingGroup` the rest of its group is killed too.
  func reap(killingGroup: Bool) -> ProcessEnd?
  /// Waits until it has ended.
  func wait() -> ProcessEnd
  /// Sends a signal to it alone.
  @discardableResult
  func signal(_ signal: Signal) throws(SystemError) -> Bool
  /// Kills it, all in its group, and all that it and they have started.
  func killTree()
  /// Sends a signal to its group.
  @discardableResult
  func signalGroup(_ signal: Signal) throws(SystemError) -> Bool
}

extension HostedProcess {
  /// Kills it and all that it has started: at once by its control group, or one by one where it has none.
  ///
  /// A host that has not entered its group yet has started nothing: it dies with its process group.
  func killTree(in group: ControlGroup?) {
    guard let group, group.kill() else { return killTree() }
    _ = try? signalGroup(.kill)
    _ = try? signal(.kill)
  }
}

extension ChildProcess: HostedProcess {}
extension ForeignProcess: HostedProcess {}
