internal import TimelineStoreWire

/// Version of a cluster's keys, and the etcd that they are in.
struct EtcdMeta: Codable, Sendable, Hashable {
  /// Version of the keys that this program uses.
  static let present = 1
  /// Bits of a token behind the era: 40 of the revision, a million writes a second for 12 days or a thousand for 34 years, and those of
  /// ``EtcdClaim/place``.
  private static let bitsBehindEra = 40 + EtcdClaim.placeBits

  /// Version of the keys.
  var version: Int
  /// Identity of the etcd cluster in which the revisions of the keys were counted.
  var system: String
  /// Number of the etcd clusters that the keys were in: a snapshot that is restored has lower revisions.
  var era: Int64

  /// Identity of the store.
  var identity: String { "\(system)/\(era)" }

  /// Token of a claim that was made at a revision.
  func token(revision: Int64, place: Int) -> Int64 {
    era << Self.bitsBehindEra | revision << EtcdClaim.placeBits | Int64(place)
  }

  /// Version of a view whose key has this revision. The era keeps those of restored snapshots apart.
  func version(revision: Int64) -> Int64 { token(revision: revision, place: 0) }
}

/// An epoch of a node.
struct EtcdMember: Codable, Sendable, Hashable {
  /// Name of the node.
  var node: String
  /// Instant at which its lease ends or ended, at the latest; see ``StoreClock/latest(at:)``.
  var leaseUntil: Int64
  /// Length of the lease.
  var leaseMilliseconds: Int64
  /// Whether it left.
  var hasLeft = false
  var labels: [String: String] = [:]
  var clockOffset: Int64?
  /// Version of its program.
  var program = ""
}

/// Owner of a job. A job without one has the term of its last one.
struct EtcdOwner: Codable, Sendable, Hashable {
  var epoch: String?
  var term: Int64 = 0
}

/// Decisions of operators and nodes about a job.
struct EtcdChoice: Codable, Sendable, Hashable {
  var activeDigest: String?
  var pausedSince: Int64?
}

/// Progress of a job.
struct EtcdJobState: Codable, Sendable, Hashable {
  var watermark: Int64?
  var isFailing = false
  var cursor: String?
  var cursorToken: Int64?
  /// Its incidents; `nil` or none.
  var incidents: [StoredIncident]?

  /// Takes in what a node tells. A failing run that is told late, by a node that is behind, must not hide a later success.
  mutating func take(_ progress: RecordCall.Progress) {
    if progress.watermark >= watermark ?? .min {
      watermark = progress.watermark
      isFailing = progress.isFailing ?? isFailing
    }
    if let new = progress.cursor, new.token >= cursorToken ?? 0 {
      (cursor, cursorToken) = (new.bytes, new.token)
    }
  }
}

/// A claim without an outcome.
struct EtcdClaim: Codable, Sendable, Hashable {
  /// Bits of ``place``: a call has at most 100 entries.
  static let placeBits = 7

  /// Epoch that holds it.
  var epoch: String
  var entryCount: Int
  var claimedAt: Int64
  /// Number among the claims that were made at one revision.
  var place = 0
  /// Era in which it was made.
  var era: Int64 = 0
  /// Token, if it is not that of the revision at which the value was written.
  var token: Int64?

  /// The token of a claim whose value was written at a revision.
  func token(writtenAt revision: Int64) -> Int64 {
    token ?? EtcdMeta(version: 0, system: "", era: era).token(revision: revision, place: place)
  }
}

/// Place that the deletion of old records has come to.
struct EtcdTidyPlace: Codable, Sendable, Hashable {
  /// Last key that was looked at; `nil` to begin.
  var after: String?
  /// Instant before which nothing is to be looked at.
  var pausedUntil: Int64 = 0
}
