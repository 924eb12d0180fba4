import TimelineCore
package import TimelineSystem

/// The connections of a server. A connection of a signed-in browser keeps its place while it exists. All other
/// connections share a limited number of places, and the oldest of them is closed to make room, so that no client can
/// block others.
///
/// Each client has ``WebLimits/strangerMoment`` to sign in, even if many others arrive.
package struct ConnectionPlaces<ID: Hashable & Sendable>: Sendable {
  private var known: Set<ID> = []
  /// The connections that are not signed in, the oldest first.
  private var strangers: [(id: ID, since: MonotonicInstant)] = []

  package init() {}

  /// Adds a new connection.
  package mutating func arrive(_ id: ID, at now: MonotonicInstant) { strangers.append((id, now)) }

  /// Marks a connection as that of a signed-in browser or of a program with the token. The connection keeps its
  /// place, unless ``WebLimits/knownConnectionsMax`` connections already do.
  package mutating func recognize(_ id: ID) {
    guard known.count < WebLimits.knownConnectionsMax,
      let place = strangers.firstIndex(where: { $0.id == id })
    else {
      return
    }
    strangers.remove(at: place)
    known.insert(id)
  }

  /// Removes a connection that has ended.
  package mutating func leave(_ id: ID) {
    if known.remove(id) == nil { strangers.removeAll { $0.id == id } }
  }

  /// Removes and returns the connections that must be closed to make room for another.
  package mutating func crowdedOut(at now: MonotonicInstant) -> [ID] {
    let excess = max(0, strangers.count + 1 - WebLimits.strangersMax)
    let closed = strangers.prefix(excess).prefix { now - $0.since >= WebLimits.strangerMoment }
    strangers.removeFirst(closed.count)
    return closed.map(\.id)
  }

  /// The instant at which the next connection must be closed; `nil` while there is room.
  package var crowdedAt: MonotonicInstant? {
    strangers.count < WebLimits.strangersMax
      ? nil : strangers.first.map { $0.since + WebLimits.strangerMoment }
  }
}
