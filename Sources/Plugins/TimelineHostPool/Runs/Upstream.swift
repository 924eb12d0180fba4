import TimelineCore
import TimelineEngine
import TimelineJSON
import TimelineWire

/// The JSON object about another job's entry that a plugin receives. The entry has ended, waits, or its run has begun.
enum Upstream {
  /// Largest length of the reason in bytes. JSON may write each byte as six; the whole object still fits the wire.
  private static let reasonMax = 2_048

  /// Returns the object as text, with the schedule of the job and the last lines that the entry's run wrote. Keys may be
  /// added later; existing keys never change their meaning.
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

  /// JSON's spelling of a text; U+0000, which cannot be passed to a plugin, becomes U+FFFD.
  private static func quoted(_ text: String) -> String {
    JSONText.quoted(String(text.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
  }
}
