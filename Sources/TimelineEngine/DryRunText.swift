package import TimelineCore

// How a dry run is shown. Pure functions from values to text; where the text goes is the caller's business.

extension DryRunRow {
  /// One JSON object without a line end; instants are UTC with as many fraction digits as they need.
  ///
  /// An entry: `{"job":"report","entry":"…","start":"…","end":"…","disposition":"succeeded"}`, without `start` and
  /// `end` when it did not run. A minute of a job that is counted:
  /// `{"job":"sampler","entry":"…","per":"minute","entries":3750,"dispositions":{"succeeded":3750}}`.
  package var jsonLine: String {
    // Names and dispositions are of letters, digits, `-`, `_` and `.`: nothing in them needs escaping.
    switch self {
    case .entry(let row):
      var line = "{\"job\":\"\(row.job.text)\",\"entry\":\"\(row.entry)\""
      if let start = row.start { line += ",\"start\":\"\(start)\"" }
      if let end = row.end { line += ",\"end\":\"\(end)\"" }
      return line + ",\"disposition\":\"\(row.disposition.rawValue)\"}"
    case .minute(let row):
      let counts = row.dispositions.sorted.map { "\"\($0.disposition.rawValue)\":\($0.count)" }
      return "{\"job\":\"\(row.job.text)\",\"entry\":\"\(row.entry)\",\"per\":\"minute\","
        + "\"entries\":\(row.dispositions.total),\"dispositions\":{\(counts.joined(separator: ","))}}"
    }
  }
}

/// The columns of a dry run's table.
package struct DryRunTable: Sendable, Hashable {
  private let jobWidth: Int
  private let instantWidth: Int

  /// Fits the columns to the jobs: names in full, and room for fractions of a second if any job can have them.
  package init(jobs: [JobName], hasFractions: Bool = false) {
    self.jobWidth = max(3, jobs.map(\.text.utf8.count).max() ?? 0)
    self.instantWidth = hasFractions ? 30 : 20
  }

  /// The heading, without a line end.
  package var heading: String {
    "ENTRY".padded(to: instantWidth) + "  " + "JOB".padded(to: jobWidth) + "  "
      + "START".padded(to: instantWidth) + "  " + "END".padded(to: instantWidth) + "  DISPOSITION"
  }

  /// One row, without a line end; a dash stands for what there was not.
  package func line(_ row: DryRunRow) -> String {
    let head =
      row.entry.description.padded(to: instantWidth) + "  " + row.job.text.padded(to: jobWidth) + "  "
    switch row {
    case .entry(let entry):
      let start = (entry.start?.description ?? "-").padded(to: instantWidth)
      let end = (entry.end?.description ?? "-").padded(to: instantWidth)
      return head + start + "  " + end + "  " + entry.disposition.rawValue
    case .minute(let minute):
      let total = "\(minute.dispositions.total.grouped) in this minute".padded(to: 2 * instantWidth + 2)
      return head + total + "  " + minute.dispositions.text
    }
  }
}

extension DryRunSummary {
  /// The closing summary: a line for each job and one for all, with a line end after each.
  package var text: String {
    let width = max(3, jobs.map(\.name.text.utf8.count).max() ?? 0)
    let countWidth = max(7, entries.grouped.utf8.count)
    func line(_ name: String, _ count: String, _ peak: String, _ dispositions: String) -> String {
      name.padded(to: width) + "  " + count.padded(to: countWidth, onTheLeft: true) + "  "
        + peak.padded(to: 4, onTheLeft: true) + (dispositions.isEmpty ? "" : "  " + dispositions) + "\n"
    }
    var text = "From \(from) until \(until):\n"
    text += line("JOB", "ENTRIES", "PEAK", "DISPOSITIONS")
    for job in jobs {
      text += line(job.name.text, job.entries.grouped, job.peak.grouped, job.dispositions.text)
    }
    return text + line("all", entries.grouped, peak.grouped, dispositions.text)
  }
}

extension DryRunProgress {
  /// One line for a terminal, without a line end: where it is, how much of the way that is, what came of it.
  package var text: String {
    "\(min(now, until))  \(percent) %  \(entries.grouped) entries  \(running.grouped) running"
  }

  /// How much of the way is done, 0 to 100.
  package var percent: Int {
    let (whole, done) = ((until - from).nanoseconds, (now - from).nanoseconds)
    guard whole > 0 else { return 100 }
    return Int(max(0, min(100, Int128(done) * 100 / Int128(whole))))
  }
}

extension DispositionCounts {
  /// The counts for people, such as `succeeded 1,440, overlapped 3`.
  package var text: String {
    sorted.map { "\($0.disposition.rawValue) \($0.count.grouped)" }.joined(separator: ", ")
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
  fileprivate var grouped: String {
    var text = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}
