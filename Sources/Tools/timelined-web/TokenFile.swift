import ArgumentParser
import TimelineSystem
import TimelineWeb

/// The file with the secret for signing in.
struct TokenFile {
  private let path: String

  /// Uses the given path, or else the unit's credential `token`; `nil` if there is neither.
  init?(given: String?) {
    if let given {
      path = given
    } else {
      guard let directory = CurrentProcess.environment["CREDENTIALS_DIRECTORY"] else { return nil }
      path = "\(directory)/token"
      guard (try? FileFacts(at: path)) != nil else { return nil }
    }
  }

  /// Reads the token.
  func token() throws -> SecretToken {
    let contents: [UInt8]
    do throws(TrustedFileFault) {
      contents = try TrustedFile.secret(at: path, limit: WebLimits.tokenLengths.upperBound + 2)
    } catch {
      throw ValidationError("--token-file: \(error.reason): \(error.remedy)")
    }
    guard let token = SecretToken(contents: contents) else {
      let (least, most) = (WebLimits.tokenLengths.lowerBound, WebLimits.tokenLengths.upperBound)
      throw ValidationError(
        "\(path): no token: write \(least) to \(most) printable characters without blanks into it")
    }
    return token
  }
}
