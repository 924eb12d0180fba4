internal import CMessageDigest
internal import Glibc
internal import TimelineCore
internal import TimelineSystem

extension FileDigest {
  /// Makes the digest of the contents of the file at `path`; reads the whole file.
  init(ofFileAt path: String) throws(SystemError) {
    var digits = [CChar](repeating: 0, count: FileDigest.digitCount + 1)
    guard unsafe timeline_sha256_file(path, &digits) == 0 else {
      throw SystemError(code: errno, call: "read", subject: path)
    }
    let text = String(decoding: digits.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let digest = FileDigest(text) else { preconditionFailure("libmd wrote no digest: \(text)") }
    self = digest
  }
}
