import TimelineSystem

/// The process of a host that this daemon or an earlier one has started.
protocol HostedProcess: AnyObject {
  /// The process number of the host, which is also the number of its process group.
  var pid: CInt { get }
  /// A descriptor that becomes readable when the process has ended.
  var handleRawValue: CInt { get }
  var hasEnded: Bool { get }
  /// Reaps the process if it has ended, and returns its end; with `killingGroup` also kills the rest of its group.
  func reap(killingGroup: Bool) -> ProcessEnd?
  /// Waits until the process has ended.
  func wait() -> ProcessEnd
  /// Sends a signal to the process alone.
  @discardableResult
  func signal(_ signal: Signal) throws(SystemError) -> Bool
  /// Kills the process, its group, and all their descendants.
  func killTree()
  /// Sends a signal to the process group.
  @discardableResult
  func signalGroup(_ signal: Signal) throws(SystemError) -> Bool
}

extension HostedProcess {
  /// Kills the process and all its descendants: at once by its control group, or one by one if it has none.
  ///
  /// A host that has not entered its control group yet has started no process, so the signal to its process group is
  /// enough.
  func killTree(in group: ControlGroup?) {
    guard let group, group.kill() else { return killTree() }
    _ = try? signalGroup(.kill)
    _ = try? signal(.kill)
  }
}

extension ChildProcess: HostedProcess {}
extension ForeignProcess: HostedProcess {}
