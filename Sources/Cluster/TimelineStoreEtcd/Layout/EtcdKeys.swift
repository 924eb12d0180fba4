internal import TimelineCore
internal import TimelineStoreWire

/// Keys of a cluster in etcd.
///
/// | key, after `timelined/CLUSTER/` | value |
/// |---|---|
/// | `meta` | ``EtcdMeta`` |
/// | `version` | empty; its revision is the version of the view |
/// | `node/NODE` | epoch that has the node's name |
/// | `member/EPOCH` | ``EtcdMember`` of an epoch that has a name |
/// | `live/EPOCH` | empty; etcd deletes it with the lease |
/// | `heir/EPOCH` | empty; exists while another epoch inherits from this epoch, whose own lease has ended |
/// | `past/EPOCH` | ``EtcdMember`` of an epoch whose name belongs to another epoch |
/// | `digest/EPOCH` | digests of the node's jobs, by name |
/// | `owner/JOB` | ``EtcdOwner`` |
/// | `choice/JOB` | ``EtcdChoice`` |
/// | `state/JOB` | ``EtcdJobState`` |
/// | `open/JOB/TIME` | ``EtcdClaim`` without an outcome |
/// | `record/JOB/TIME/EPOCH` | outcome |
/// | `time/TIME/JOB/EPOCH` | empty; index of the records by instant |
/// | `tidy` | ``EtcdTidyPlace`` |
///
/// A `TIME` is a nominal instant in hexadecimal digits. The digits descend as instants ascend, because etcd reads the first
/// keys of a range, and calls request the latest entries.
struct EtcdKeys: Sendable, Equatable {
  private let prefix: String

  init(cluster: String) { prefix = "timelined/\(Self.segment(cluster))/" }

  var meta: String { prefix + "meta" }
  var version: String { prefix + "version" }
  var tidy: String { prefix + "tidy" }

  func node(_ name: String) -> String { prefix + "node/" + Self.segment(name) }
  func member(_ epoch: String) -> String { prefix + "member/" + epoch }
  func live(_ epoch: String) -> String { prefix + "live/" + epoch }
  func heir(_ epoch: String) -> String { prefix + "heir/" + epoch }
  func past(_ epoch: String) -> String { prefix + "past/" + epoch }
  func digest(_ epoch: String) -> String { prefix + "digest/" + epoch }
  func owner(_ job: String) -> String { prefix + "owner/" + Self.segment(job) }
  func choice(_ job: String) -> String { prefix + "choice/" + Self.segment(job) }
  func state(_ job: String) -> String { prefix + "state/" + Self.segment(job) }
  func open(_ job: String, _ nominal: Int64) -> String { opens(of: job) + Self.digits(nominal) }
  func record(_ job: String, _ nominal: Int64, _ epoch: String) -> String {
    records(of: job, nominal) + epoch
  }
  func time(_ nominal: Int64, _ job: String, _ epoch: String) -> String {
    times + Self.digits(nominal) + "/" + Self.segment(job) + "/" + epoch
  }

  func open(_ entry: EntryKey) -> String { open(entry.job.text, entry.nanoseconds) }
  func record(_ entry: EntryKey, _ epoch: String) -> String {
    record(entry.job.text, entry.nanoseconds, epoch)
  }
  func time(_ entry: EntryKey, _ epoch: String) -> String { time(entry.nanoseconds, entry.job.text, epoch) }

  // Prefixes of keys.

  var members: String { prefix + "member/" }
  var lives: String { prefix + "live/" }
  var pasts: String { prefix + "past/" }
  var digests: String { prefix + "digest/" }
  var owners: String { prefix + "owner/" }
  var choices: String { prefix + "choice/" }
  var opens: String { prefix + "open/" }
  var times: String { prefix + "time/" }
  func opens(of job: String) -> String { opens + Self.segment(job) + "/" }
  func records(of job: String) -> String { prefix + "record/" + Self.segment(job) + "/" }
  func records(of job: String, _ nominal: Int64) -> String { records(of: job) + Self.digits(nominal) + "/" }

  func records(of entry: EntryKey) -> String { records(of: entry.job.text, entry.nanoseconds) }

  /// Returns the key of the record that a key of ``times`` refers to.
  func record(ofTime key: String) -> String? {
    let parts = key.dropFirst(times.count).split(separator: "/", omittingEmptySubsequences: false)
    guard key.hasPrefix(times), parts.count == 3 else { return nil }
    return "\(prefix)record/\(parts[1])/\(parts[0])/\(parts[2])"
  }

  /// The last part of a key, decoded.
  static func name(_ key: String) -> String {
    var bytes: [UInt8] = []
    var rest = key.utf8[
      (key.utf8.lastIndex(of: slash).map { key.utf8.index(after: $0) } ?? key.startIndex)...]
    while let byte = rest.popFirst() {
      if byte == percent, let code = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the job and the nominal instant of a key of ``opens``.
  static func entry(ofOpen key: String) -> (job: String, nominal: Int64)? {
    let parts = key.split(separator: "/")
    guard let digits = parts.last, let number = UInt64(digits, radix: 16) else { return nil }
    return (name(parts.dropLast().joined(separator: "/")), Int64(bitPattern: ~number ^ signBit))
  }

  /// Returns the digits of an instant, which descend as instants ascend.
  static func digits(_ nominal: Int64) -> String {
    let digits = String(~(UInt64(bitPattern: nominal) ^ signBit), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static let signBit: UInt64 = 1 << 63
  private static let (slash, percent) = (UInt8(ascii: "/"), UInt8(ascii: "%"))

  /// Returns a name, encoded as one part of a key. Names of jobs and nodes stay unchanged. Other names could look like several
  /// parts.
  private static func segment(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == slash || $0 == percent }) else { return name }
    return String(name.flatMap { $0 == "/" ? "%2F" : $0 == "%" ? "%25" : String($0) })
  }
}
