package import TimelineCore

extension EntryKey {
  /// Makes the key of an entry of a job at an instant in nanoseconds since 1970.
  package init(job: JobName, nanoseconds: Int64) {
    self.init(job: job, nominal: WallInstant(nanosecondsSinceEpoch: nanoseconds))
  }

  /// Nominal instant in nanoseconds since 1970.
  package var nanoseconds: Int64 { nominal.nanosecondsSinceEpoch }
}

extension EntryKey: Comparable {
  /// Orders keys by job and instant. All statements lock rows in this order, which prevents deadlocks.
  package static func < (left: EntryKey, right: EntryKey) -> Bool {
    (left.job, left.nominal) < (right.job, right.nominal)
  }
}

extension EntryKey: Codable {
  private enum Key: String, CodingKey {
    case job, nominal
  }

  /// Reads a key.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let job = JobName(try container.decode(String.self, forKey: .job)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .job, in: container, debugDescription: "no name of a job")
    }
    self.init(job: job, nanoseconds: try container.decode(Int64.self, forKey: .nominal))
  }

  /// Writes the key.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(job.text, forKey: .job)
    try container.encode(nanoseconds, forKey: .nominal)
  }
}
