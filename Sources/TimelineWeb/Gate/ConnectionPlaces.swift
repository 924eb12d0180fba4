import TimelineCore
package import TimelineSystem

/// The connections of a server, so that no client keeps others out: one of a browser that is signed in has a place for as long as it
/// lives; all others share some places, where the oldest makes room for the next.
///
/// A client needs a place for a moment to say who it is. That moment is kept for each, however many others come.
package struct ConnectionPlaces<ID: Hashable & Sendable>: Sendable {
  private var known: Set<ID> = []
  /// The others, the oldest first.
  private var strangers: [(id: ID, since: MonotonicInstant)] = []

  /// Makes the places of a server without connections.
  package init() {}

  /// Takes in a new connection.
  package mutating func arrive(_ id: ID, at now: MonotonicInstant) { strangers.append((id, now)) }

  /// Takes in that a connection is that of a browser that is signed in, or of a program with the token. It keeps its place while there are some.
  package mutating func recognize(_ id: ID) {
    guard known.count < WebLimits.knownConnectionsMax,
      let place = strangers.firstIndex(where: { $0.id == id })
    else {
      return
    }
    strangers.remove(at: place)
    known.insert(id)
  }

  /// Takes in the end of a connection.
  package mutating func leave(_ id: ID) {
    if known.remove(id) == nil { strangers.removeAll { $0.id == id } }
  }

  /// Takes out and returns the connections that are to be closed, so that another has room.
  package mutating func crowdedOut(at now: MonotonicInstant) -> [ID] {
    let excess = max(0, strangers.count + 1 - WebLimits.strangersMax)
    let closed = strangers.prefix(excess).prefix { now - $0.since >= WebLimits.strangerMoment }
    strangers.removeFirst(closed.count)
    return closed.map(\.id)
  }

  /// The instant at which the next connection is to be closed; `nil` while there is room.
  package var crowdedAt: MonotonicInstant? {
    strangers.count < WebLimits.strangersMax
      ? nil : strangers.first.map { $0.since + WebLimits.strangerMoment }
  }
}
