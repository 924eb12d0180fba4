import TimelineCore
import TimelineEngine

/// What the ledger keeps in memory of every job: a number, and a byte. There may be a hundred thousand.
struct KnownJobs {
  private struct Traits: OptionSet {
    var rawValue: UInt8
    static let isConfigured = Traits(rawValue: 1)
    static let isCounted = Traits(rawValue: 2)
    static let isAtLeastOnce = Traits(rawValue: 4)
  }

  private var numbers: [JobName: Int32] = [:]
  private var names: [JobName] = []
  private var traits: [Traits] = []

  /// The number of a job, which it keeps for the life of the ledger; one that is not configured gets one too.
  mutating func number(of name: JobName) -> Int {
    if let known = knownNumber(of: name) { return known }
    numbers[name] = Int32(names.count)
    names.append(name)
    traits.append([])
    return names.count - 1
  }

  /// How many jobs have a number.
  var count: Int { names.count }

  /// The number of a job that has one.
  func knownNumber(of name: JobName) -> Int? { numbers[name].map(Int.init) }

  func name(_ number: Int) -> JobName { names[number] }

  /// Whether the job fires too often for a row an entry.
  func isCounted(_ number: Int) -> Bool { traits[number].contains(.isCounted) }

  /// Whether a run whose end is not known may be run again.
  func isAtLeastOnce(_ number: Int) -> Bool { traits[number].contains(.isAtLeastOnce) }

  func isConfigured(_ name: JobName) -> Bool {
    knownNumber(of: name).map { traits[$0].contains(.isConfigured) } ?? false
  }

  /// The configured jobs.
  var configured: some Sequence<JobName> {
    names.indices.lazy.filter { traits[$0].contains(.isConfigured) }.map { names[$0] }
  }

  /// Takes in a configuration; of two jobs of one name the first counts.
  mutating func adopt(_ jobs: [LedgerJob]) {
    for index in traits.indices { traits[index] = [] }
    numbers.reserveCapacity(max(numbers.count, jobs.count))
    for job in jobs {
      let number = number(of: job.name)
      guard traits[number].isEmpty else { continue }
      traits[number] = [
        .isConfigured, job.isCounted ? .isCounted : [],
        job.delivery == .atLeastOnce ? .isAtLeastOnce : [],
      ]
    }
  }
}
