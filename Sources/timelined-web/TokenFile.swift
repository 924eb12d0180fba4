import ArgumentParser
import TimelineSystem
import TimelineWeb

/// The file with the secret to sign in with.
struct TokenFile {
  private let path: String

  /// Makes the file that is given, or the unit's credential; `nil` where there is neither.
  init?(given: String?) {
    if let given {
      path = given
    } else {
      guard let directory = CurrentProcess.environment["CREDENTIALS_DIRECTORY"] else { return nil }
      path = "\(directory)/token"
      guard (try? FileFacts(at: path)) != nil else { return nil }
    }
  }

  /// The token in it.
  func token() throws -> SecretToken {
    let (facts, contents) = try read()
    guard facts.mode & 0o004 == 0 else {
      throw ValidationError("\(path): others may read it: chmod 600 it, and write another token into it")
    }
    guard let token = SecretToken(contents: contents.bytes) else {
      let (least, most) = (WebLimits.tokenLengths.lowerBound, WebLimits.tokenLengths.upperBound)
      throw ValidationError(
        "\(path): no token: write \(least) to \(most) printable characters without blanks into it")
    }
    return token
  }

  private func read() throws -> (FileFacts, FileContents) {
    do throws(SystemError) {
      return (
        try FileFacts(at: path), try FileContents.read(path, limit: WebLimits.tokenLengths.upperBound + 2)
      )
    } catch {
      throw ValidationError("\(path): \(error.plainReason): correct --token-file")
    }
  }
}
