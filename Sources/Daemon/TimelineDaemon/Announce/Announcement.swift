import TimelineCore
import TimelineEngine
import TimelineLedger

/// Message of the daemon to its operator: a text, its severity and its subject.
struct Announcement: Sendable, Equatable {
  /// Severity, in the words and numbers of syslog (RFC 5424, 6.2.1).
  enum Level: Int, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// Kind of event, for filters: systemd's MESSAGE_ID. The values never change.
  enum Kind: String, Sendable, CaseIterable {
    case other
    case started = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a01"
    case stopping = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a02"
    case reloaded = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a03"
    case entrySettled = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a04"
    case pluginMessage = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a05"
    case clockStepped = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a06"
    case configurationRefused = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a07"
    case zonesChanged = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a08"
    case operatorAction = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a09"
    case modeChanged = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a0a"
    case clusterChanged = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a0b"
    case ownerChanged = "5d1c7b2e9a404f0e8c5b0f1f6f3c2a0c"
  }

  var level: Level
  var kind: Kind = .other
  var text: String
  var job: JobName?
  var run: RunID?
  var entry: WallInstant?
  /// The operator who requested the action.
  var by: Operator?
  /// Further fields, as a plugin passed them.
  var fields: [(name: String, value: String)] = []

  static func == (left: Announcement, right: Announcement) -> Bool {
    left.level == right.level && left.kind == right.kind && left.text == right.text && left.job == right.job
      && left.run == right.run && left.entry == right.entry && left.by == right.by
      && left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }
}
