package import TimelineCore
package import TimelineEngine

/// A drawing of jobs on a time axis, independent of the format. Writers turn it into SVG and HTML.
package struct TimelineDrawing: Sendable, Hashable {
  /// Horizontal scale.
  package var scale: DrawingScale
  /// Time axis.
  package var axis: DrawingAxis
  /// Rows, one for each job.
  package var rows: [DrawingRow]
  /// Number of jobs that have no row, because there are more than ``rowsMax``.
  package var omittedRows: Int
  /// Average number of active runs of all jobs in each column, in hundredths.
  package var load: [Int]

  /// Most rows: more make a page of 10,000 pixels, which neither a screen nor a printer shows.
  package static let rowsMax = 200
  /// Natural number of columns: a row is 900 pixels wide.
  package static let columns = 900

  /// The highest average number of active runs, in hundredths.
  package var loadMax: Int { load.max() ?? 0 }
}

/// The row of one job.
package struct DrawingRow: Sendable, Hashable {
  /// Job that a row shows, with the zone of its schedule.
  package struct Job: Sendable, Hashable {
    /// Its name.
    package var name: JobName
    /// Its zone.
    package var zone: Zone

    /// Makes a job.
    package init(name: JobName, zone: Zone) {
      (self.name, self.zone) = (name, zone)
    }
  }

  /// The job.
  package var job: Job
  /// Number of entries by outcome.
  package var outcomes = OutcomeCounts()
  /// Number of runs.
  package var runCount = 0
  /// Start of the first run.
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
  /// Clock changes of the job's zone, if it is not the zone of the axis.
  package var clockChanges: [DrawingAxis.ClockChange] = []

  /// Most lanes; a further run is drawn over the last one. A fourth lane would be thinner than a line.
  package static let lanesMax = 3
}

/// A run, or several that are too close to be drawn one by one.
package struct DrawingBar: Sendable, Hashable {
  /// Class of the outcome; of several runs the worst.
  package var kind: Outcome.Kind
  /// Its stretch.
  package var span: DrawingSpan
  /// Lane, from the top; `nil` for several runs, which take the whole height.
  package var lane: Int?
}

/// Entries of one class of outcome: one, or several that are too close to be drawn one by one.
package struct DrawingMark: Sendable, Hashable {
  /// Class of the outcomes.
  package var kind: Outcome.Kind
  /// From the first entry to the last.
  package var span: DrawingSpan
  /// Number of entries.
  package var count: Int
}

/// A stretch without a run.
package struct DrawingGap: Sendable, Hashable {
  /// Its stretch.
  package var span: DrawingSpan
  /// Its length.
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
