import TimelineConfiguration
import TimelineControl
import TimelineSystem

/// Lists the configuration in force for operators, one listing at a time. Requests that arrive meanwhile are queued.
///
/// The files are parsed again, on a separate thread, because 100,000 jobs need a second. A listing is as large as the files, so
/// at most ``listingsMax`` listings are in memory at a time. Further requests wait until a client has read its listing or has
/// closed its connection.
final class ConfigurationLister {
  /// Tables of a configuration, kept in memory until the client has all of them.
  final class Listing {
    /// Portions of the tables. Writing a portion lasts less than 2 ms.
    let portions: [[ConfigurationTable]]
    private let released: () -> Void

    fileprivate init(_ portions: [[ConfigurationTable]], released: @escaping () -> Void) {
      self.portions = portions
      self.released = released
    }

    deinit { released() }
  }

  /// Called once, on the loop's thread; with `nil` if no thread can be started.
  typealias Completion = (Listing?) -> Void
  typealias Override = ConfigurationListing.Override

  private struct Request {
    let configuration: Configuration
    let overrides: [Override]
    let isWanted: () -> Bool
    let completion: Completion
  }

  private let loop: EventLoop
  private var work: DetachedWork<[[ConfigurationTable]]>?
  /// Waiting requests, at most one of each client, because a client's next call waits for the reply to its last call.
  private var waiting: [Request] = []
  private var heldCount = 0

  /// Largest number of listings in memory. The largest configuration has 64 MiB, and a client may need hours to read its listing.
  /// Two listings are enough, because an operator requests one at a time.
  static let listingsMax = 2
  /// Bytes of text in a portion: about twenty jobs.
  private static let portionByteCount = 16 * 1024

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// Lists `configuration`. Nothing is listed and `completion` is not called if `isWanted` returns `false` before the listing
  /// begins, because the client has closed its connection.
  func list(
    _ configuration: Configuration, _ overrides: [Override], isWanted: @escaping () -> Bool,
    completion: @escaping Completion
  ) {
    // A client that closes its connection and sends its request again has only one place in the queue.
    waiting.removeAll { !$0.isWanted() }
    waiting.append(
      Request(configuration: configuration, overrides: overrides, isWanted: isWanted, completion: completion))
    begin()
  }

  private func begin() {
    waiting.removeAll { !$0.isWanted() }
    guard work == nil, heldCount < Self.listingsMax, !waiting.isEmpty else { return }
    let request = waiting.removeFirst()
    let (configuration, overrides) = (request.configuration, request.overrides)
    do throws(SystemError) {
      work = try DetachedWork(name: "timeline-list", loop: loop) {
        Self.portions(of: configuration.listing(overrides))
      } completion: { [weak self] portions in
        self?.finish(request, portions)
      }
    } catch {
      request.completion(nil)
      begin()
    }
  }

  private func finish(_ request: Request, _ portions: [[ConfigurationTable]]) {
    work = nil
    heldCount += 1
    request.completion(
      Listing(portions) { [weak self, loop] in
        self?.heldCount -= 1
        loop.atEndOfTurn { self?.begin() }
      })
    begin()
  }

  private static func portions(of listing: ConfigurationListing) -> [[ConfigurationTable]] {
    var portions: [[ConfigurationTable]] = [[]]
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
