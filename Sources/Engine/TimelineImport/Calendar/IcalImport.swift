import TimelineConfiguration
import TimelineCore

/// Converts the events of an iCalendar file to a configuration: a job for each UID.
package struct IcalImport {
  package private(set) var file: ImportedFile
  package private(set) var report: ImportReport
  /// The instants of each job, for a proof.
  package private(set) var rules: [ImportedRule] = []

  private let context: IcalContext
  private let path: String
  private var names = JobNames()

  /// Bytes of a UID in a comment. A usual one has 36 to 80.
  private static let shownUIDMax = 120

  /// Imports the events of the file at `path`.
  package init(_ output: IcalOutput, from path: String, in context: IcalContext) {
    var context = context
    context.locations = output.locations
    (self.context, self.path) = (context, path)
    report = ImportReport(noun: output.others.isEmpty ? "event" : "component")
    file = ImportedFile(
      heading: [
        ImportedFile.origin([path], noun: "files", command: "ics"),
        "A job runs at the start of its event. The end of an event is left out.",
      ])
    for series in IcalSeries.all(of: output.events) { add(series) }
    for other in output.others {
      var account = ImportedLine(source: path, line: other.line, text: other.name, kind: .unknown)
      account.refuse("\(other.name) is no event: only VEVENT is imported")
      report.lines.append(account)
    }
    report.lines = report.lines.sorted(on: \.line)
    file.closing = report.lines.filter { $0.verdict == .notCarried }.map {
      "Not carried: \($0.place): \($0.notes.joined(separator: "; "))"
    }
  }

  private func account(of event: IcalEvent, _ kind: ImportedLine.Kind) -> ImportedLine {
    ImportedLine(source: path, line: event.line, text: event.summary, kind: kind)
  }

  private mutating func add(_ series: IcalSeries) {
    var accounts = series.events.map { account(of: $0, $0.line == series.first?.line ? .job : .setting) }
    do throws(IcalObstacle) {
      try add(series, &accounts)
    } catch {
      accounts[0].refuse(error.reason)
      for index in accounts.indices.dropFirst() {
        accounts[index].refuse("it belongs to the event of line \(accounts[0].line), which is not carried")
      }
    }
    report.lines += accounts
    for event in series.doubles {
      var account = account(of: event, .job)
      account.refuse(
        "its UID is that of the event of line \(series.first?.line ?? 0): give it another, or a RECURRENCE-ID"
      )
      report.lines.append(account)
    }
  }

  private mutating func add(_ series: IcalSeries, _ accounts: inout [ImportedLine]) throws(IcalObstacle) {
    guard let first = series.first else { return }
    // Without one of the events, times of the others would be wrong.
    for event in series.events {
      if let refusal = event.refusal { throw IcalObstacle(reason: refusal) }
    }
    if first.isCanceled, series.main != nil {
      for index in accounts.indices { accounts[index].kind = .past }
      accounts[0].notes.append("it is canceled: no job is needed")
      return
    }
    let schedule = try IcalSchedule(series, in: context)
    if schedule.isOver(at: context.start) {
      for index in accounts.indices { accounts[index].kind = .past }
      return
    }
    var job = ImportedJob(name: name(of: first))
    job.comments = [
      "\(accounts[0].place)" + (first.uid.isEmpty ? "" : ": UID \(first.uid.prefix(Self.shownUIDMax))")
    ]
    let summary = first.summary.isEmpty ? job.name : first.summary
    if isDescription(summary) { job.set("description", summary) }
    context.set(context.work, of: &job, summary: summary)
    job.values["schedule"] = schedule.text
    if let zone = schedule.zoneName { job.set("time-zone", zone) }
    if let fault = job.fault(in: context.machine) { throw IcalObstacle(reason: fault) }
    schedule.differences.forEach { accounts[0].differ($0) }
    accounts[0].notes += schedule.remarks
    for index in accounts.indices {
      accounts[index].job = job.name
      if let note = schedule.replacements[accounts[index].line] { accounts[index].notes.append(note) }
      if !accounts[index].text.isEmpty, accounts[index].text != first.summary {
        accounts[index].differ("its summary is left out: the job has that of line \(accounts[0].line)")
      }
    }
    file.jobs.append(job)
    rules.append(
      ImportedRule(job: job.name, place: accounts[0].place, kind: .event(schedule.expansion)))
  }

  /// Returns a name made of the name of the file and the summary, or the UID if the summary has no letters of ASCII.
  private mutating func name(of event: IcalEvent) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    let summary = Self.words(of: event.summary)
    return names.name([Self.words(of: stem), summary.isEmpty ? Self.words(of: event.uid) : summary])
  }

  /// The words of a text in lower case, with `-` between them.
  private static func words(of text: String) -> String {
    text.lowercased().utf8.split { byte in
      !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte)
    }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }

  private func isDescription(_ text: String) -> Bool {
    text.utf8.count <= ConfigurationLimits.summaryByteCountMax
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
