import TimelineConfiguration
import TimelineHostPool

extension Announcement {
  /// Makes the announcement of a line that a plugin wrote.
  init(_ line: PluginLine) {
    self.init(
      level: Level(line.level), kind: .pluginMessage, text: line.message, job: line.job, run: line.run,
      fields: line.fields.map { (name: $0.key, value: $0.value) })
  }
}

extension Announcement.Level {
  /// Converts the level of a plugin's line.
  init(_ level: PluginLine.Level) {
    switch level {
    case .debug: self = .debug
    case .info: self = .info
    case .notice: self = .notice
    case .warning: self = .warning
    case .error: self = .error
    }
  }

  /// Converts the level of the configuration.
  init(_ level: DaemonLogLevel) {
    switch level {
    case .debug: self = .debug
    case .info: self = .info
    case .notice: self = .notice
    case .warning: self = .warning
    case .error: self = .error
    }
  }
}

extension HostNote {
  var level: Announcement.Level {
    switch self {
    case .recycled: .debug
    case .waiting: .notice
    case .shortage: .warning
    case .orphansEnded, .leftoversKilled, .diedIdle, .kindPaused, .jobPaused, .killedAtEnd, .credentialsLeft,
      .slowInProcess, .replacedInProcess:
      .warning
    }
  }
}

extension String {
  var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
