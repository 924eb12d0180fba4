import PluginJSON
import PluginSupport
import TimelinePluginKit

/// The start or the end of another job's entry, in a form for services and persons.
struct Report {
  /// The other job.
  let job: String
  let outcome: String
  /// The last lines that the run wrote; empty for none.
  let output: String
  /// The schedule of the job in a form for other programs; `nil` if there is no such form.
  let schedule: Schedule?
  /// All facts of the report as JSON.
  let json: String
  private let entry: String
  private let reason: String
  private let attempts: Int64
  private let run: Int64?
  private let incident: IncidentWords?
  private let isReminder: Bool

  /// Text in place of an outcome. It cannot be an outcome of the daemon, because these contain no blank.
  private static let testOutcome = "test message"

  /// Reads the daemon's facts about the upstream.
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

  /// Makes a test message, which does not refer to another job.
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

  /// Progress of the entry, with the distinctions that services make.
  enum Progress {
    /// The run of the entry has begun.
    case begun
    case succeeded
    /// The entry ended in another way, or is late.
    case failed
    /// There is no entry, because this is a test message.
    case test
  }

  var progress: Progress {
    switch outcome {
    case "running": .begun
    case "succeeded": .succeeded
    case Self.testOutcome: .test
    default: .failed
    }
  }

  /// Identifier of the run, the same at its start and at its end. `nil` for a reminder, for a test message, and for an
  /// entry whose run has not begun. Such an entry is reported again when its run begins.
  var runIdentifier: String? {
    outcome == "waiting" || isReminder || progress == .test ? nil : RunIdentifier(job: job, entry: entry).text
  }

  /// The job and the outcome of the entry, or the state of the incident.
  var title: String { "\(job): \(incident?.text ?? outcome)" }

  /// Some lines for operators: the reason, the entry, and the output of the run.
  var text: String {
    var lines = reason.isEmpty ? [] : [reason]
    let tried = attempts > 1 ? ", \(attempts) attempts" : ""
    lines.append("entry \(Moment.shown(entry))\(run.map { ", run \($0)" } ?? "")\(tried)")
    if !output.isEmpty { lines += ["", output] }
    return lines.joined(separator: "\n")
  }

  /// Largest length of a slug, the limit of Sentry.
  private static let slugMax = 50

  /// The job's name as a part of a URL: at most 50 lower-case letters, digits, hyphens and underscores. If the name has
  /// other characters or is longer, it is changed and gets eight digits of its hash, so that two jobs do not share a check.
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
  /// Five fields of cron, interpreted in a zone.
  case cron(String, zone: String)
  /// A rule of systemd's OnCalendar=, interpreted in a zone.
  case calendar(String, zone: String)
  /// The period in seconds.
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
