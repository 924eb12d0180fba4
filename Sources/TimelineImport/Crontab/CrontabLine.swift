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

  /// Number, from 1.
  var number: Int
  /// The line without its end.
  var text: String
  /// The content.
  var content: Content
  /// Whether cron refuses the line, and with it the whole file, although the import does not.
  var isRefusedByCron = false
  /// Remarks about what cron does with the line and a reader would not expect.
  var remarks: [String] = []
}

/// A line that runs a command.
struct CrontabEntry: Equatable {
  /// Times at which a line runs.
  enum Times: Equatable {
    case reboot
    /// A word such as `@daily`, and what it means.
    case word(String, CrontabFields)
    case fields(CrontabFields)

    /// The rule as it is written in a configuration.
    var rule: String {
      switch self {
      case .reboot: "@reboot"
      case .word(let word, _): word
      case .fields(let fields): fields.rule
      }
    }

    /// The sets of bits; `nil` for `@reboot`.
    var fields: CrontabFields? {
      switch self {
      case .reboot: nil
      case .word(_, let fields), .fields(let fields): fields
      }
    }
  }

  var times: Times
  /// The column of the user, in a file that has one.
  var user: String?
  /// The command with its `%`.
  var column: String
  /// Name of the line for anacron; `nil` for a line of cron's.
  var identifier: String?
  /// Whether a missed time is made up for.
  var isCaughtUp = false
  /// Differences of the cron that reads the line from Debian's, as clauses.
  var differences: [String] = []
  /// Readings that depend on the version of that cron.
  var versions: [VersionedReading] = []
}
