/// A line of a crontab.
struct CrontabLine: Equatable {
  /// Contents of a line.
  enum Content: Equatable {
    case blank
    case comment(String)
    case variable(name: String, value: String)
    case job(CrontabEntry)
    case refused(CrontabRefusal)
  }

  /// From 1.
  var number: Int
  /// Without the end of the line.
  var text: String
  var content: Content
  /// Whether cron refuses the line, and therefore the whole file, although the import accepts the line.
  var isRefusedByCron = false
  /// Remarks about unexpected effects of the line under cron.
  var remarks: [String] = []
}

/// A line that runs a command.
struct CrontabEntry: Equatable {
  /// Times at which a command runs.
  enum Times: Equatable {
    case reboot
    /// A word such as `@daily`, with the equivalent fields.
    case word(String, CrontabFields)
    case fields(CrontabFields)

    /// The rule in the form of a configuration.
    var rule: String {
      switch self {
      case .reboot: "@reboot"
      case .word(let word, _): word
      case .fields(let fields): fields.rule
      }
    }

    /// `nil` for `@reboot`.
    var fields: CrontabFields? {
      switch self {
      case .reboot: nil
      case .word(_, let fields), .fields(let fields): fields
      }
    }
  }

  var times: Times
  /// `nil` in a file without the column of the user.
  var user: String?
  /// The command column, including its `%`.
  var column: String
  /// Name of the line in anacron; `nil` for a line of cron.
  var identifier: String?
  /// Whether a missed run is caught up.
  var isCaughtUp = false
  /// Differences between this cron and Debian's cron in reading the line, as clauses.
  var differences: [String] = []
  /// Readings that depend on the version of the cron.
  var versions: [VersionedReading] = []
}
