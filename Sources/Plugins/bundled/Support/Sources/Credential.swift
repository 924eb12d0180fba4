import Glibc
import TimelinePluginKit

/// A secret of the job, in a file that its key `credentials` names.
public struct Credential: Sendable {
  private let name: String
  private let pointer: String

  /// The largest size of a secret in bytes. Longer files are not passwords.
  private static let bytesMax = 4_096

  /// Makes the credential whose name is the parameter at `pointer`; `nil` if the parameter is absent.
  public init?(_ parameters: Parameters, _ pointer: String) throws {
    guard let name = try parameters.optionalText(pointer) else { return nil }
    try self.init(named: name, in: pointer)
  }

  /// Makes the credential `name`; `pointer` is the path of the parameter, for errors.
  public init(named name: String, in pointer: String) throws {
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw Failure("the parameter \(pointer) is \"\(name)\": it must be a name under `credentials`")
    }
    (self.name, self.pointer) = (name, pointer)
  }

  /// Returns the file's text without the final line end. The file is read each time, so that a change takes effect in the
  /// next run.
  public func text() throws -> String {
    guard let directory = getenv("CREDENTIALS_DIRECTORY") else { throw missing }
    guard let file = fopen("\(String(cString: directory))/\(name)", "rbe") else { throw missing }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Self.bytesMax + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard ferror(file) == 0, count <= Self.bytesMax else {
      throw Failure(
        "the credential `\(name)` cannot be read, or has more than \(Self.bytesMax) bytes: correct its file")
    }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
    guard !line.isEmpty, !line.contains(where: \.isNewline) else {
      throw Failure("the credential `\(name)` must be one line of text: correct its file")
    }
    return line
  }

  private var missing: Failure {
    Failure(
      "the parameter \(pointer) names the credential `\(name)`, which the job does not have: "
        + "write credentials = { \(name) = \"/path/of/the/file\" }")
  }
}
