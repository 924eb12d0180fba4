package import TimelineCore
package import TimelineEngine

// Text of a dry run. Pure functions from values to text; the caller prints it.

extension DryRunEntry {
  /// End of the JSON object of a row with several entries: the additional members and the closing brace.
  var jsonOfSeveral: String { ",\"firstEntry\":\"\(firstEntry)\",\"entries\":\(count)}" }

  /// Returns the additional text at the end of a table row with several entries.
  func textOfSeveral(in zone: Zone?) -> String {
    "\(count.grouped) entries since \(zone.map(firstEntry.text) ?? firstEntry.description)"
  }
}

extension DryRunMinute {
  /// One JSON object without a line end.
  func jsonLine(_ job: JobName) -> String {
    "{\"job\":\"\(job.text)\",\"entry\":\"\(entry)\",\"per\":\"minute\","
      + "\"entries\":\(outcomes.total),\"outcomes\":\(outcomes.jsonObject)}"
  }
}

/// The columns of a dry run's table.
struct DryRunTable: Sendable, Equatable {
  /// Width of the columns of instants, in characters.
  let instantWidth: Int
  /// Zones of the instants, by job; empty for UTC in the form of RFC 3339.
  let zones: [Zone]
  private let jobWidth: Int

  /// Fits the columns to the jobs: complete names, and room for fractions of a second if any job can have them.
  init(jobs: [JobName], hasFractions: Bool = false, zones: [Zone] = []) {
    self.jobWidth = max(3, jobs.map(\.text.utf8.count).max() ?? 0)
    self.zones = zones
    // An abbreviation has 4 letters at most nearly everywhere. With a zone there are milliseconds, otherwise nanoseconds.
    self.instantWidth = zones.isEmpty ? (hasFractions ? 30 : 20) : (hasFractions ? 28 : 24)
  }

  /// The zone in which a job's instants are shown.
  func zone(ofJob job: Int) -> Zone? { zones.indices.contains(job) ? zones[job] : nil }

  /// The heading, without a line end.
  var heading: String {
    "ENTRY".padded(to: instantWidth) + "  " + "JOB".padded(to: jobWidth) + "  "
      + "START".padded(to: instantWidth) + "  " + "END".padded(to: instantWidth) + "  OUTCOME"
  }

  /// Returns the text of the job's column, padded to its width.
  func column(_ job: JobName) -> String { job.text.padded(to: jobWidth) }

  /// The row of a minute, without a line end.
  func line(_ minute: DryRunMinute, _ job: JobName) -> String {
    let total = "\(minute.outcomes.total.grouped) in this minute".padded(to: 2 * instantWidth + 2)
    let entry = zone(ofJob: minute.job).map(minute.entry.text) ?? minute.entry.description
    return entry.padded(to: instantWidth) + "  " + column(job) + "  " + total + "  "
      + minute.outcomes.text
  }
}

extension DryRunSummary {
  /// The closing summary: a line for each job and one for all, with a line end after each.
  package var text: String { text(in: nil) }

  /// Closing summary with instants in `zone`; without a zone in UTC, as RFC 3339.
  package func text(in zone: Zone?) -> String {
    let width = max(3, jobs.map(\.name.text.utf8.count).max() ?? 0)
    let countWidth = max(7, entries.grouped.utf8.count)
    func line(_ name: String, _ count: String, _ peak: String, _ outcomes: String) -> String {
      name.padded(to: width) + "  " + count.padded(to: countWidth, onTheLeft: true) + "  "
        + peak.padded(to: 4, onTheLeft: true) + (outcomes.isEmpty ? "" : "  " + outcomes) + "\n"
    }
    let (begin, end) =
      zone.map { (from.text(in: $0), until.text(in: $0)) }
      ?? ("\(from)", "\(until)")
    var text = "From \(begin) until \(end):\n"
    text += line("JOB", "ENTRIES", "PEAK", "OUTCOMES")
    for job in jobs {
      text += line(job.name.text, job.entries.grouped, job.peak.grouped, job.outcomes.text)
    }
    return text + line("all", entries.grouped, peak.grouped, outcomes.text)
  }

  /// The summary for programs: one object per line, with a line end after each. The last object is about all jobs and has no
  /// name.
  ///
  /// A job: `{"job":"report","entries":6,"peak":1,"outcomes":{"succeeded":3,"overlapped":3}}`.
  package var jsonLines: String {
    func counts(_ entries: Int, _ peak: Int, _ outcomes: OutcomeCounts) -> String {
      "\"entries\":\(entries),\"peak\":\(peak),\"outcomes\":\(outcomes.jsonObject)}\n"
    }
    let lines = jobs.map { "{\"job\":\"\($0.name.text)\"," + counts($0.entries, $0.peak, $0.outcomes) }
    return lines.joined() + "{\"from\":\"\(from)\",\"until\":\"\(until)\","
      + counts(entries, peak, outcomes)
  }
}

extension DryRunProgress {
  /// One line for a terminal, without a line end: the current instant, the percentage, and the counts.
  package var text: String {
    "\(min(now, until).wholeMilliseconds)  \(percent) %  \(entries.grouped) entries  \(running.grouped) running"
  }

  /// Percentage of the time span that is done, 0 to 100.
  package var percent: Int {
    let (whole, done) = ((until - from).nanoseconds, (now - from).nanoseconds)
    guard whole > 0 else { return 100 }
    return Int(max(0, min(100, Int128(done) * 100 / Int128(whole))))
  }
}

extension OutcomeCounts {
  /// The counts for people, such as `succeeded 1,440, overlapped 3`.
  package var text: String {
    sorted.map { "\($0.outcome.rawValue) \($0.count.grouped)" }.joined(separator: ", ")
  }

  fileprivate var jsonObject: String {
    "{" + sorted.map { "\"\($0.outcome.rawValue)\":\($0.count)" }.joined(separator: ",") + "}"
  }
}

extension String {
  fileprivate func padded(to width: Int, onTheLeft: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - utf8.count))
    return onTheLeft ? padding + self : self + padding
  }
}

extension Int {
  /// The number with a comma before every three digits from the right.
  var grouped: String {
    var text = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}
