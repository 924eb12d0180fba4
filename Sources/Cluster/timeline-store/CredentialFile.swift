internal import TimelineStoreEtcd
internal import TimelineSystem

/// The file with the secrets of a store. It is read for each connection, so that the password can be changed while the daemon
/// runs.
struct CredentialFile {
  /// Maximum size of the file in bytes. A connection string with several servers, certificates and options has several hundred
  /// bytes.
  private static let bytesMax = 4096

  var path: String

  /// Reason why the file is rejected.
  struct Refusal: Error {
    /// One line for the operator.
    var message: String
  }

  /// Returns the variables of etcdctl in the file.
  func etcdCredential() throws(Refusal) -> EtcdCredential {
    let text = String(decoding: try contents(), as: UTF8.self)
    let credential: EtcdCredential
    do throws(EtcdCredential.Refusal) { credential = try EtcdCredential(text: text) } catch {
      throw Refusal(message: "\(path): \(error.message)")
    }
    // libcurl opens these files by their paths, and reports a missing file.
    for file in [credential.certificate, credential.key, credential.authority].compactMap(\.self) {
      do throws(TrustRefusal) { _ = try Self.opened(file) } catch {
        if case .system(let error) = error.reason, error.isMissing { continue }
        throw Refusal(message: Self.message(error))
      }
    }
    return credential
  }

  /// Returns the single line of the file, a connection string.
  func connectionString() throws(Refusal) -> String {
    let line = String(decoding: try contents(), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: true)
    guard line.count == 1, let text = line.first, !text.contains("\0") else {
      throw Refusal(
        message: "\(path): it has \(line.count) lines: write one connection string or URI into it")
    }
    return String(text)
  }

  private func contents() throws(Refusal) -> [UInt8] {
    let file: TrustedFile
    do throws(TrustRefusal) { file = try Self.opened(path) } catch {
      throw Refusal(message: Self.message(error))
    }
    guard !file.isReadByOthers else {
      throw Refusal(message: "\(path): others may read it: chmod 600 it, and change the password")
    }
    do throws(SystemError) {
      return try file.contents(limit: Self.bytesMax)
    } catch {
      throw Refusal(message: "\(path): \(error.plainReason): \(error.remedyText ?? "correct the file")")
    }
  }

  private static func opened(_ path: String) throws(TrustRefusal) -> TrustedFile {
    try TrustedFile.open(CurrentProcess.absolutePath(path), by: .ofThisProcess)
  }

  private static func message(_ refusal: TrustRefusal) -> String {
    switch refusal.reason {
    case .notAbsolute: "\(refusal.path): it is no absolute path: give one"
    case .notRegular: "\(refusal.path): it is no regular file: name one"
    case .system(let error):
      "\(refusal.path): \(error.plainReason): \(error.remedyText ?? "correct --credential")"
    case .untrusted(_, .foreignOwner(let owner), _):
      "\(refusal.path): it belongs to user \(owner): root or the user of this program must own it"
    case .untrusted(_, .writable, _): "\(refusal.path): others may write it: take that right away"
    }
  }
}
