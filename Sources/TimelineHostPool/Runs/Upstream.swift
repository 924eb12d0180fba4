import TimelineCore
import TimelineEngine
import TimelineJSON
import TimelineWire

/// Another job's entry that has ended, that waits or whose run has begun, as a plugin is told of it: a JSON object.
enum Upstream {
  /// Bytes of the reason, each of which JSON may write as six: with them the whole still fits the wire.
  private static let reasonMax = 2_048

  /// The object as text, with the schedule of the job and the last lines that the entry's run wrote; keys may be added to it and never change
  /// their meaning.
  static func json(_ record: EntryRecord, _ schedule: PortableSchedule? = nil, output: String = "") -> String
  {
    var members = [
      ("job", quoted(record.entry.job.text)),
      ("entry", quoted(record.entry.nominal.description)),
      ("outcome", quoted(record.stateText)),
      ("reason", quoted(record.reason.cut(to: reasonMax))),
      ("cause", quoted(record.cause.rawValue)),
      ("attempts", String(record.attempts)),
      ("entryCount", String(record.entryCount)),
    ]
    if record.stage == .ended { members.append(("endedAt", quoted(record.endedAt.description))) }
    if !output.isEmpty { members.append(("output", quoted(output.cut(to: WireLimits.upstreamOutputMax)))) }
    if let run = record.run { members.append(("run", String(run.number))) }
    if let startedAt = record.startedAt { members.append(("startedAt", quoted(startedAt.description))) }
    if record.entryCount > 1 { members.append(("firstEntry", quoted(record.firstNominal.description))) }
    if let incident = record.incident { members.append(("incident", json(incident))) }
    if let schedule { members.append(("schedule", json(schedule))) }
    return JSONText.object(members)
  }

  private static func json(_ incident: IncidentReport) -> String {
    JSONText.object([
      ("kind", quoted(incident.kind.rawValue)), ("phase", quoted(incident.phase.rawValue)),
      ("failures", String(incident.count)), ("since", quoted(incident.since.description)),
    ])
  }

  private static func json(_ schedule: PortableSchedule) -> String {
    switch schedule {
    case .cron(let rule, let zone): JSONText.object([("cron", quoted(rule)), ("zone", quoted(zone))])
    case .calendar(let rule, let zone): JSONText.object([("calendar", quoted(rule)), ("zone", quoted(zone))])
    case .period(let seconds): JSONText.object([("period", String(seconds))])
    }
  }

  /// JSON's spelling of a text; U+0000, which no plugin can be handed, becomes U+FFFD.
  private static func quoted(_ text: String) -> String {
    JSONText.quoted(String(text.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
  }
}
