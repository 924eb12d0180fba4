/// Limits of all processes of a run together, including its plugin host. The kernel enforces them by the plugin
/// host's control group.
///
/// `nil` sets no limit.
public struct RunLimits: Sendable, Hashable {
  /// Bytes of memory, including the page cache of its files (memory.max).
  public var memoryBytes: UInt64?
  /// Processor time as a share of one processor, in percent; 200 is two processors (cpu.max).
  public var processorPercent: Int?
  /// Processes and threads, without the two threads of the plugin host (pids.max).
  public var taskCount: Int?
  /// The policy for a daemon that cannot set one of the limits.
  public var unsupported = UnsupportedPolicy.run

  /// Makes limits without any limit.
  public init() {}

  /// Keys of the limits that are set.
  package var keys: [String] { needs.map(\.key) }
  /// Controllers of the kernel that the limits need.
  package var controllers: [String] { needs.map(\.controller) }

  /// Keys of the limits that are set and need one of `controllers`.
  package func keys(needing controllers: [String]) -> [String] {
    needs.filter { controllers.contains($0.controller) }.map(\.key)
  }

  private var needs: [(key: String, controller: String)] {
    [
      memoryBytes.map { _ in ("memory", "memory") }, processorPercent.map { _ in ("cpu", "cpu") },
      taskCount.map { _ in ("tasks", "pids") },
    ].compactMap { $0 }
  }
}
