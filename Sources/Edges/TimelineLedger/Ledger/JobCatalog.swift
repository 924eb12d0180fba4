import TimelineCore
import TimelineEngine

/// Jobs of the ledger, in memory: a name, a slot in an index and a byte for each. There may be 100,000 jobs.
struct JobCatalog {
  private struct Traits: OptionSet {
    var rawValue: UInt8
    static let isConfigured = Traits(rawValue: 1)
    static let isCounted = Traits(rawValue: 2)
    static let isAtLeastOnce = Traits(rawValue: 4)

    init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    init(_ job: LedgerJob) {
      self = [
        .isConfigured, job.isCounted ? .isCounted : [],
        job.delivery == .atLeastOnce ? .isAtLeastOnce : [],
      ]
    }
  }

  private var numbers: [JobName: Int] = [:]
  private var names: [JobName] = []
  private var traits: [Traits] = []

  /// Returns the number of a job, which stays the same for the life of the ledger. A job without a number gets one, even if
  /// the job is not configured.
  mutating func number(of name: JobName) -> Int {
    if let known = numbers[name] { return known }
    numbers[name] = names.count
    names.append(name)
    traits.append([])
    return names.count - 1
  }

  /// Number of jobs, configured or not.
  var count: Int { names.count }

  /// The number of a job; `nil` if it has none.
  func knownNumber(of name: JobName) -> Int? { numbers[name] }

  func name(_ number: Int) -> JobName { names[number] }

  /// Whether the job has too many entries for one row each.
  func isCounted(_ number: Int) -> Bool { traits[number].contains(.isCounted) }

  /// Whether a run with an unknown end may be run again.
  func isAtLeastOnce(_ number: Int) -> Bool { traits[number].contains(.isAtLeastOnce) }

  /// Whether the job of that number is in the configuration.
  func isConfigured(_ number: Int) -> Bool { traits[number].contains(.isConfigured) }

  /// Whether the job of that name is in the configuration.
  func isConfigured(_ name: JobName) -> Bool { numbers[name].map(isConfigured) ?? false }

  /// The configured jobs.
  var configured: some Sequence<JobName> {
    names.indices.lazy.filter { traits[$0].contains(.isConfigured) }.map { names[$0] }
  }

  /// Applies a configuration. If two jobs have the same name, the first counts.
  mutating func adopt(_ jobs: [LedgerJob]) {
    for index in traits.indices { traits[index] = [] }
    for job in jobs {
      let number = number(of: job.name)
      if traits[number].isEmpty { traits[number] = Traits(job) }
    }
  }

  /// Applies new and changed jobs, and marks the jobs in `gone` as not configured.
  mutating func amend(_ jobs: [LedgerJob], gone: [JobName]) {
    for name in gone { traits[number(of: name)] = [] }
    for job in jobs { traits[number(of: job.name)] = Traits(job) }
  }
}
