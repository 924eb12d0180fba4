import TimelineCore

/// SQL for a ``HistoryQuery``: the text after `FROM`, and its values.
///
/// No index serves a condition on a record's first entry, so there are two queries. One query finds the records within the
/// span, by their nominal times. The other query finds the records that begin before the end of the span and lie at or after
/// it. It searches job by job, among the records of several entries.
struct HistoryQuestion {
  let source: String
  let values: [Value]

  /// Maximum number of records of one job that are searched for a record that spans an instant. Records of several entries do
  /// not overlap unless the clock was set back, so normally the first one matches. A query for all jobs searches only the
  /// first record of each job, because there may be 10,000 jobs.
  static let reachingMax = 8

  /// Makes the query for records within the span.
  init(_ query: HistoryQuery) {
    // A condition that is always true keeps the text valid if there is no other.
    var conditions = ["true"]
    var values: [Value] = []
    if let job = query.job {
      conditions.append("job = ?")
      values.append(job.value)
    }
    if let since = query.since {
      conditions.append("nominal >= ?")
      values.append(.instant(since))
    }
    if let until = query.until {
      conditions.append("nominal < ?")
      values.append(.instant(until))
    }
    self.init("entry", conditions, values, query)
  }

  /// Makes the query for records that begin before the end of the span and lie at or after it; `nil` if the span has no end.
  init?(reachingOverEndOf query: HistoryQuery) {
    guard let until = query.until else { return nil }
    let from = Value.instant(max(until, query.since ?? until))
    if let job = query.job {
      let first = Self.reaching(of: "?", countMax: Self.reachingMax)
      self.init(
        "entry", ["nominal IN \(first)", "job = ?", "first_nominal < ?"],
        [job.value, from, job.value, .instant(until)], query)
    } else {
      let first = Self.reaching(of: "whose.name", countMax: 1)
      self.init(
        "job AS whose CROSS JOIN entry ON job = whose.name AND nominal = \(first)", ["first_nominal < ?"],
        [from, .instant(until)], query)
    }
  }

  private static func reaching(of job: String, countMax: Int) -> String {
    """
    (SELECT nominal FROM entry INDEXED BY entry_several WHERE job = \(job) AND nominal >= ? AND first_nominal < nominal
      ORDER BY nominal LIMIT \(countMax))
    """
  }

  private init(_ tables: String, _ conditions: [String], _ values: [Value], _ query: HistoryQuery) {
    var conditions = conditions
    if query.onlyFailures { conditions.append(Self.failure) }
    if query.onlyRuns { conditions.append("started_at IS NOT NULL") }
    source = "\(tables) WHERE \(conditions.joined(separator: " AND ")) ORDER BY nominal DESC, job LIMIT ?"
    self.values = values + [.integer(Int64(query.limit))]
  }

  /// Condition for failures. SQLite uses the index only if the query repeats the condition of the index.
  private static let failure =
    "(" + Outcome.names(of: .failure).map { "outcome = '\($0)'" }.joined(separator: " OR ") + ")"
}
