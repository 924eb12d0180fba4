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

  /// Number of the line, from 1.
  var number: Int
  /// The line without its end.
  var text: String
  /// The content of the line.
  var content: Content
  /// Whether cron refuses the line, and therefore the whole file, although the import accepts it.
  var isRefusedByCron = false
  /// Remarks about effects of the line under cron that a reader would not expect.
  var remarks: [String] = []
}

/// A line that runs a command.
struct CrontabEntry: Equatable {
  /// Times at which a command runs.
  enum Times: Equatable {
    case reboot
    /// A word such as `@daily`, with the fields that it stands for.
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

    /// The sets of bits; `nil` for `@reboot`.
    var fields: CrontabFields? {
      switch self {
      case .reboot: nil
      case .word(_, let fields), .fields(let fields): fields
      }
    }
  }

  var times: Times
  /// The column of the user; `nil` in a file without that column.
  var user: String?
  /// The command column including its `%`.
  var column: String
  /// Name of the line in anacron; `nil` for a line of cron.
  var identifier: String?
  /// Whether a missed run is caught up.
  var isCaughtUp = false
  /// Differences between the cron that reads the line and Debian's cron, as clauses.
  var differences: [String] = []
  /// Readings that depend on the version of that cron.
  var versions: [VersionedReading] = []
}
