/// The policy for the processes that are left when a run ends.
public enum LeftoverPolicy: String, Sendable, Hashable, CaseIterable {
  /// The processes are ended with the run.
  case kill
  /// The processes keep running, also after the end of the run's plugin host or of the daemon.
  case keep
}
