package import TimelineCore
package import TimelineEngine

/// A drawing of jobs on a time axis, independent of the format. Writers turn it into SVG and HTML.
package struct TimelineDrawing: Sendable, Equatable {
  package var scale: DrawingScale
  package var axis: DrawingAxis
  /// One row for each job.
  package var rows: [DrawingRow]
  /// Number of jobs without a row, because there are more than ``rowsMax`` jobs.
  package var omittedRows: Int
  /// Average number of active runs of all jobs in each column, in hundredths.
  package var load: [Int]

  /// Maximum number of rows. More rows make a page of 10,000 pixels, too large for a screen or a printer.
  package static let rowsMax = 200
  /// Default number of columns: a row is 900 pixels wide.
  package static let columns = 900

  /// The highest average number of active runs, in hundredths.
  package var loadMax: Int { load.max() ?? 0 }
}

/// The row of one job.
package struct DrawingRow: Sendable, Equatable {
  /// Job that a row shows, with the zone of its schedule.
  package struct Job: Sendable, Equatable {
    package var name: JobName
    package var zone: Zone

    package init(name: JobName, zone: Zone) {
      (self.name, self.zone) = (name, zone)
    }
  }

  package var job: Job
  package var outcomes = OutcomeCounts()
  package var runCount = 0
  package var firstStart: WallInstant?
  /// Runs.
  package var bars: [DrawingBar] = []
  /// Number of lanes that ``bars`` use: more than 1 if runs of the job overlap one another.
  package var laneCount = 1
  /// Entries that did not run, and ends of runs that did not succeed.
  package var marks: [DrawingMark] = []
  /// Stretches in which an entry waited for its start.
  package var waits: [DrawingSpan] = []
  /// Stretches without a run that are unusually long.
  package var gaps: [DrawingGap] = []
  /// Clock changes of the job's zone; empty if the axis has the same zone.
  package var clockChanges: [DrawingAxis.ClockChange] = []

  /// Maximum number of lanes. A further run is drawn over the last lane. A fourth lane would be thinner than a line.
  package static let lanesMax = 3
}

/// A run, or several runs that are too close to be drawn separately.
package struct DrawingBar: Sendable, Equatable {
  /// Class of the outcome; the worst class of several runs.
  package var kind: Outcome.Kind
  package var span: DrawingSpan
  /// Lane, from the top; `nil` for several runs, which take the whole height.
  package var lane: Int?
}

/// Entries of one class of outcome: one entry, or several that are too close to be drawn separately.
package struct DrawingMark: Sendable, Equatable {
  /// Class of the outcomes.
  package var kind: Outcome.Kind
  /// From the first entry to the last.
  package var span: DrawingSpan
  package var count: Int
}

/// A stretch without a run.
package struct DrawingGap: Sendable, Equatable {
  package var span: DrawingSpan
  package var length: ElapsedTime
}

extension Outcome.Kind {
  /// Classes of outcomes, the worst last.
  static let bySeverity: [Outcome.Kind] = [.success, .omission, .miss, .cancellation, .failure]

  /// Order by severity, the worst highest: index in ``bySeverity``.
  package var severity: Int {
    switch self {
    case .success: 0
    case .omission: 1
    case .miss: 2
    case .cancellation: 3
    case .failure: 4
    }
  }
}
