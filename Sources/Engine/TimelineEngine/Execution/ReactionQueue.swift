import TimelineCore

/// Reactions to the entries that an event has settled, and the upstream entries of reactions that wait or run.
struct ReactionQueue: Sendable {
  /// Reactions to run after this event, in the order in which they were added.
  private var pending: [(listener: JobName, upstream: EntryRecord)] = []
  /// Upstream entry of each reaction that waits or runs.
  private var upstreams: [EntryKey: EntryRecord] = [:]

  init() {}

  /// Whether no reaction is to be run.
  var isEmpty: Bool { pending.isEmpty }

  /// Queues a reaction of `listener` to the end of an entry, or to an incident.
  mutating func append(_ upstream: EntryRecord, for listener: Listener) {
    var upstream = upstream
    upstream.incident = listener.report
    pending.append((listener.name, upstream))
  }

  /// Removes and returns the reactions to be run, in the order in which they were added.
  mutating func takeAll() -> [(listener: JobName, upstream: EntryRecord)] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending
  }

  /// Upstream entry of a reaction that waits or runs; `nil` if unknown, or if the reaction has ended.
  subscript(upstreamOf entry: EntryKey) -> EntryRecord? {
    get { upstreams[entry] }
    set { upstreams[entry] = newValue }
  }
}
