/// The policy for the processes that a run has left behind when it ends.
public enum LeftoverPolicy: String, Sendable, Hashable, CaseIterable {
  /// They are ended with the run.
  case kill
  /// They run on, whatever becomes of the run's plugin host and of the daemon.
  case keep
}
