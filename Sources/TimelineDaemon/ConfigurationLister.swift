import TimelineConfiguration
import TimelineControl
import TimelineSystem

/// Lists the configuration in force for operators, one listing at a time; whoever asks meanwhile gets the next one.
///
/// The files are parsed again, on a thread of its own: a hundred thousand jobs take a second.
final class ConfigurationLister {
  /// The tables in portions, each of which is written in less than 2 ms.
  typealias Portions = [[ConfigurationTable]]
  /// Called once, on the loop's thread; with `nil` when threads run out.
  typealias Completion = (Portions?) -> Void

  private let loop: EventLoop
  private var work: DetachedWork<Portions>?
  private var waiting: [(configuration: Configuration, overrides: [Override], completion: Completion)] = []

  typealias Override = ConfigurationListing.Override

  /// About twenty jobs.
  private static let portionByteCount = 16 * 1024

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// Lists `configuration`.
  func list(_ configuration: Configuration, _ overrides: [Override], completion: @escaping Completion) {
    waiting.append((configuration, overrides, completion))
    if work == nil { begin() }
  }

  private func begin() {
    guard !waiting.isEmpty else { return }
    let (configuration, overrides, completion) = waiting.removeFirst()
    do throws(SystemError) {
      work = try DetachedWork(name: "timeline-list", loop: loop) {
        Self.portions(of: configuration.listing(overrides))
      } completion: { [weak self] portions in
        self?.work = nil
        completion(portions)
        self?.begin()
      }
    } catch {
      completion(nil)
      begin()
    }
  }

  private static func portions(of listing: ConfigurationListing) -> Portions {
    var portions: Portions = [[]]
    var byteCount = 0
    for table in listing.tables {
      if byteCount >= portionByteCount {
        portions.append([])
        byteCount = 0
      }
      let values = table.values.map {
        ConfigurationTable.Value(key: $0.key, text: $0.text, origin: $0.origin)
      }
      byteCount += values.reduce(table.origin.utf8.count) {
        $0 + $1.key.utf8.count + $1.text.utf8.count + $1.origin.utf8.count
      }
      portions[portions.count - 1].append(
        ConfigurationTable(
          path: table.path, isElement: table.isElement, origin: table.origin.isEmpty ? nil : table.origin,
          values: values))
    }
    return portions
  }
}
