internal import CTimelineSystem
internal import Glibc
package import TimelineCore

// Limits of all processes in a group together.
extension ControlGroup {
  /// A limit that could not be set.
  package struct LimitFault: Error, Sendable, Hashable {
    /// The key of the limit in a configuration.
    package let key: String
    package let error: SystemError
  }

  /// Number of threads of a plugin host before its run does anything: the main thread and the watcher.
  static let hostThreadCount = 2
  /// Period of the limit of processor time, in microseconds: the kernel's default of 100 ms.
  static let periodMicroseconds = 100_000

  /// The files of limits. ``restoreLimits()`` writes no other files.
  private static let files = (memory: "memory.max", processor: "cpu.max", tasks: "pids.max")
  /// Extended attribute with the limits. When a controller is turned off, its limits are lost. A daemon that turns it on again
  /// restores the limits from this attribute.
  private static let mark = "user.timelined.limits"

  /// Sets the limits. Returns the limits that could not be set. A limit whose controller is off has no file.
  package func set(_ limits: RunLimits) -> [LimitFault] {
    var values: [(key: String, file: String, value: String)] = []
    if let bytes = limits.memoryBytes { values.append(("memory", Self.files.memory, "\(bytes)")) }
    if let percent = limits.processorPercent {
      let quota = percent * Self.periodMicroseconds / 100
      values.append(("cpu", Self.files.processor, "\(quota) \(Self.periodMicroseconds)"))
    }
    if let count = limits.taskCount {
      values.append(("tasks", Self.files.tasks, "\(count + Self.hostThreadCount)"))
    }
    guard !values.isEmpty else { return [] }
    let text = values.map { "\($0.file) \($0.value)" }.joined(separator: "\n")
    _ = unsafe timeline_set_attribute(directory, Self.mark, text)
    return values.compactMap { key, file, value in
      do throws(SystemError) {
        try write(value, to: file)
        return nil
      } catch {
        return LimitFault(key: key, error: error)
      }
    }
  }

  /// Sets the recorded limits again, as far as possible.
  func restoreLimits() {
    guard let text = unsafe timeline_attribute(directory, Self.mark) else { return }
    defer { unsafe free(text) }
    for line in unsafe String(cString: text).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2,
        [Self.files.memory, Self.files.processor, Self.files.tasks].contains(String(words[0]))
      else { continue }
      try? write(String(words[1]), to: String(words[0]))
    }
  }

  /// Memory limit of the group in bytes; `nil` if it has none.
  package var memoryLimit: UInt64? { number(in: Self.files.memory) }
}
