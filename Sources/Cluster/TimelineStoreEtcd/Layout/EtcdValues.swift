internal import TimelineStoreWire

/// Version of a cluster's keys, and the etcd cluster that holds them.
struct EtcdMeta: Codable, Sendable, Equatable {
  /// Version of the keys that this program uses.
  static let present = 1
  /// Bits of a token below the era: 40 bits of the revision and the bits of ``EtcdClaim/place``. 40 bits are enough for a
  /// million writes per second for 12 days, or a thousand for 34 years.
  private static let bitsBehindEra = 40 + EtcdClaim.placeBits

  var version: Int
  /// Identity of the etcd cluster that counted the revisions of the keys.
  var system: String
  /// Number of etcd clusters that have held the keys. The era increases after a restore, because a restored snapshot has lower
  /// revisions.
  var era: Int64

  var identity: String { "\(system)/\(era)" }

  /// Token of a claim that was made at a revision.
  func token(revision: Int64, place: Int) -> Int64 {
    era << Self.bitsBehindEra | revision << EtcdClaim.placeBits | Int64(place)
  }

  /// Version of a view whose key has this revision. The era separates the versions before a restore from the versions after
  /// it.
  func version(revision: Int64) -> Int64 { token(revision: revision, place: 0) }
}

/// An epoch of a node.
struct EtcdMember: Codable, Sendable, Equatable {
  var node: String
  /// Latest instant at which the lease ends or ended; see ``StoreClock/latest(at:)``.
  var leaseUntil: Int64
  var leaseMilliseconds: Int64
  var hasLeft = false
  var labels: [String: String] = [:]
  var clockOffset: Int64?
  /// Version of the program.
  var program = ""
}

/// Owner of a job. After a job loses its owner, it keeps the term.
struct EtcdOwner: Codable, Sendable, Equatable {
  var epoch: String?
  var term: Int64 = 0
}

/// Decisions of operators and nodes about a job.
struct EtcdChoice: Codable, Sendable, Equatable {
  var activeDigest: String?
  var pausedSince: Int64?
}

/// Progress of a job.
struct EtcdJobState: Codable, Sendable, Equatable {
  var watermark: Int64?
  var isFailing = false
  var cursor: String?
  var cursorToken: Int64?
  /// Incidents; `nil` for none.
  var incidents: [StoredIncident]?

  /// Applies a node's progress. A failed run that a lagging node records late must not hide a later success.
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
struct EtcdClaim: Codable, Sendable, Equatable {
  /// Bits of ``place``. A call has at most 100 entries.
  static let placeBits = 7

  /// Epoch that holds the claim.
  var epoch: String
  var entryCount: Int
  var claimedAt: Int64
  /// Number of the claim among the claims of one revision.
  var place = 0
  /// Era in which the claim was made.
  var era: Int64 = 0
  /// Token, if it differs from the token of the revision at which this value was written.
  var token: Int64?

  /// The token of a claim whose value was written at a revision.
  func token(writtenAt revision: Int64) -> Int64 {
    token ?? EtcdMeta(version: 0, system: "", era: era).token(revision: revision, place: place)
  }
}

/// Position of the deletion of old records.
struct EtcdTidyPlace: Codable, Sendable, Equatable {
  /// Last key that was examined; `nil` at the beginning.
  var after: String?
  /// Instant before which nothing is deleted.
  var pausedUntil: Int64 = 0
}
