/// The policy for the processes that a run has left behind when it ends.
public enum LeftoverPolicy: String, Sendable, Hashable, CaseIterable {
  /// They are ended with the run.
  case kill
  /// They keep running, also after the end of the run's plugin host or of the daemon.
  case keep
}
