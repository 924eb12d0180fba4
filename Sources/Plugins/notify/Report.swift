import PluginSupport
import TimelinePluginKit

/// The end of another job's entry, as a service or a person is told of it.
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
    json = upstream.json() ?? "{}"
  }

  /// Whether the entry did what it is there for.
  var isSuccess: Bool { outcome == "succeeded" }

  /// The job and how the entry ended, or what has become of the incident.
  var title: String { "\(job): \(incident?.text ?? outcome)" }

  /// Some lines for people: the reason, the entry, and what the run wrote.
  var text: String {
    var lines = reason.isEmpty ? [] : [reason]
    let tried = attempts > 1 ? ", \(attempts) attempts" : ""
    lines.append("entry \(entry)\(run.map { ", run \($0)" } ?? "")\(tried)")
    if !output.isEmpty { lines += ["", output] }
    return lines.joined(separator: "\n")
  }

  /// The job's name as a part of a URL: small letters, digits, hyphens and underscores.
  var slug: String {
    String(
      job.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "a"..."z", "0"..."9", "-", "_": Character(scalar)
        case "A"..."Z": Character(Unicode.Scalar(UInt8(scalar.value) + 32))
        default: "-"
        }
      })
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
