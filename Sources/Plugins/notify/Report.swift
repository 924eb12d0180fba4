import PluginJSON
import PluginSupport
import TimelinePluginKit

/// The begin or the end of another job's entry, as a service or a person is told of it.
struct Report {
  /// The other job.
  let job: String
  let outcome: String
  /// The last lines that the run wrote; empty for none.
  let output: String
  /// Schedule of the job as outside programs know it; `nil` if they do not.
  let schedule: Schedule?
  /// All of it as JSON.
  let json: String
  private let entry: String
  private let reason: String
  private let attempts: Int64
  private let run: Int64?
  private let incident: IncidentWords?
  private let isReminder: Bool

  /// In place of an outcome; none of the daemon's has a blank.
  private static let testOutcome = "test message"

  /// Reads what the daemon says of the upstream.
  init(_ upstream: Parameters) throws {
    job = try upstream.text("/job")
    outcome = try upstream.text("/outcome")
    output = try upstream.text("/output", default: "")
    entry = try upstream.text("/entry")
    reason = try upstream.text("/reason", default: "")
    attempts = try upstream.integer("/attempts", default: 0)
    run = try upstream.optionalInteger("/run")
    schedule = try Schedule(upstream)
    incident = try IncidentWords(upstream)
    isReminder = try upstream.optionalText("/incident/phase") == "reminder"
    json = upstream.json() ?? "{}"
  }

  /// Makes a test message, which is about no other job.
  init(testFrom context: RunContext) {
    job = context.job
    outcome = Self.testOutcome
    output = ""
    schedule = nil
    entry = Moment.text(nanosecondsSinceEpoch: context.nominal)
    reason = "This is a test: \(job) tells of jobs that name it in on-failure or another reaction."
    (attempts, run, incident, isReminder) = (Int64(context.attempt), nil, nil, false)
    json = JSONText.object([
      ("test", "true"), ("job", JSONText.quoted(job)), ("entry", JSONText.quoted(entry)),
      ("outcome", JSONText.quoted(outcome)), ("reason", JSONText.quoted(reason)),
    ])
  }

  /// Progress of the entry, as far as services tell it apart.
  enum Progress {
    /// Its run has begun.
    case begun
    /// It did what it is there for.
    case succeeded
    /// It ended in another way, or it is late.
    case failed
    /// There is no entry: this is a test message.
    case test
  }

  /// Progress of the entry.
  var progress: Progress {
    switch outcome {
    case "running": .begun
    case "succeeded": .succeeded
    case Self.testOutcome: .test
    default: .failed
    }
  }

  /// Identifier of the run, the same at its begin and at its end; `nil` for an entry that has not begun, which is told again when it
  /// does, and for a reminder of what has been told.
  var runIdentifier: String? {
    outcome == "waiting" || isReminder || progress == .test ? nil : RunIdentifier(job: job, entry: entry).text
  }

  /// The job and how the entry ended, or what has become of the incident.
  var title: String { "\(job): \(incident?.text ?? outcome)" }

  /// Some lines for people: the reason, the entry, and what the run wrote.
  var text: String {
    var lines = reason.isEmpty ? [] : [reason]
    let tried = attempts > 1 ? ", \(attempts) attempts" : ""
    lines.append("entry \(Moment.shown(entry))\(run.map { ", run \($0)" } ?? "")\(tried)")
    if !output.isEmpty { lines += ["", output] }
    return lines.joined(separator: "\n")
  }

  /// Limit of a slug: that of Sentry.
  private static let slugMax = 50

  /// The job's name as a part of a URL: at most 50 small letters, digits, hyphens and underscores. Another name is
  /// changed to these, and eight digits of its hash follow, so that jobs do not share a check.
  var slug: String {
    let plain = String(
      job.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "a"..."z", "0"..."9", "-", "_": Character(scalar)
        case "A"..."Z": Character(Unicode.Scalar(UInt8(scalar.value) + 32))
        default: "-"
        }
      })
    if plain == job, plain.utf8.count <= Self.slugMax { return plain }
    let digits = TraceContext.id(ofEntry: "", job: job).prefix(8)
    return "\(plain.prefix(Self.slugMax - 1 - digits.count))-\(digits)"
  }
}

/// The schedule of a job in a form that monitoring services understand.
enum Schedule: Equatable {
  /// Five fields of cron, read in a zone.
  case cron(String, zone: String)
  /// A rule of systemd's OnCalendar=, read in a zone.
  case calendar(String, zone: String)
  /// Seconds from one entry to the next.
  case period(Int64)

  init?(_ upstream: Parameters) throws {
    let zone = try upstream.text("/schedule/zone", default: "UTC")
    if let rule = try upstream.optionalText("/schedule/cron") {
      self = .cron(rule, zone: zone)
    } else if let rule = try upstream.optionalText("/schedule/calendar") {
      self = .calendar(rule, zone: zone)
    } else if let seconds = try upstream.optionalInteger("/schedule/period") {
      self = .period(seconds)
    } else {
      return nil
    }
  }
}
