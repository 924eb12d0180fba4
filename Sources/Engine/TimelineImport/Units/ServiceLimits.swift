import TimelineConfiguration
import TimelineCore

/// Limits of a service's control group as a job's `run-limits`.
struct ServiceLimits {
  /// Keys and values of `run-limits`.
  private(set) var values: [(String, String)] = []
  /// Settings without a counterpart in `run-limits`.
  private(set) var obstacles: [String] = []

  static let settings = ["MemoryMax", "CPUQuota", "TasksMax"]

  /// Reads the limits of a service. `infinity` means no limit.
  init(of unit: UnitFile) {
    for setting in Self.settings {
      guard let text = unit.value("Service", setting), text != "infinity", !text.isEmpty else { continue }
      let value =
        switch setting {
        case "MemoryMax": Self.size(text).map { ("memory", TOMLText.string($0)) }
        case "CPUQuota": Self.percentage(text).map { ("cpu", TOMLText.string($0)) }
        default: Self.count(text).map { ("tasks", $0) }
        }
      if let value { values.append(value) } else { obstacles.append("\(setting)=\(text)") }
    }
  }

  /// Returns a size in bytes or with a unit; `nil` for a share of the machine's memory, and for less than a plugin
  /// host needs.
  static func size(_ text: String) -> String? {
    let units: [Character: UInt64] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = text.last.flatMap { units[$0] }
    guard let number = UInt64(shift == nil ? text : String(text.dropLast())), number < 1 << 30 || shift == nil
    else {
      return nil
    }
    let bytes = number << (shift ?? 0)
    guard ConfigurationLimits.memoryRange.contains(bytes) else { return nil }
    return shift == nil ? "\(bytes >> 10)K" : text
  }

  private static func percentage(_ text: String) -> String? {
    guard text.last == "%", let number = Int(text.dropLast()),
      ConfigurationLimits.processorPercentRange.contains(number)
    else { return nil }
    return "\(number)%"
  }

  private static func count(_ text: String) -> String? {
    guard let number = Int64(text), ConfigurationLimits.processCountRange.contains(number) else { return nil }
    return "\(number)"
  }
}
