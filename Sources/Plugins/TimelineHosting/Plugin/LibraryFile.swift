internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// An open library file that ``TrustRule`` trusts for the user of this process.
///
/// The checked file is the file that is loaded: it is opened once and loaded through `/proc/self/fd`. Therefore `$ORIGIN`
/// in the library's run path has no effect.
struct LibraryFile: ~Copyable {
  private let file: TrustedFile

  /// Opens and checks the file at `path`, an absolute path. Uses the name service only with `trustingPrivateGroups`.
  static func open(at path: String, trustingPrivateGroups: Bool = true) throws(Refusal) -> LibraryFile {
    var rule = TrustRule.ofThisProcess
    rule.trustsPrivateGroups = trustingPrivateGroups
    do {
      return LibraryFile(file: try TrustedFile.open(path, by: rule))
    } catch {
      throw Refusal(file: path, error)
    }
  }

  private init(file: consuming TrustedFile) {
    self.file = file
  }

  /// A name for the open file itself, valid as long as this value exists.
  var path: String { file.path }

  /// The facts of the open file when it was checked.
  var facts: FileFacts { file.facts }

  /// The contents of the open file.
  borrowing func contents(limit: Int) throws(SystemError) -> [UInt8] { try file.contents(limit: limit) }

  /// Refuses a file whose contents do not have the digest; `path` is its name for operators.
  ///
  /// After the check only trusted users can change the contents: root, or the user of this process.
  borrowing func require(_ digest: FileDigest, path: String) throws(Refusal) {
    let found: FileDigest
    do {
      found = try FileDigest(ofFileAt: self.path)
    } catch {
      throw Refusal(
        file: path, reason: "it cannot be read: \(error.plainReason)", remedy: "let the job's user read it")
    }
    guard found != digest else { return }
    throw Refusal(
      file: path, reason: "its SHA-256 is \(found.text), and its job's `sha256` is \(digest.text)",
      remedy: "find out who changed the file; if it is right, write its SHA-256 into the job's `sha256`")
  }

  /// Keeps the file open until the process ends, because the loader identifies the library by ``path``.
  consuming func keepOpen() { file.keepOpen() }
}

extension Refusal {
  /// Makes the refusal of a plugin whose file is not trusted or cannot be read.
  fileprivate init(file: String, _ refusal: TrustRefusal) {
    let (reason, remedy) =
      switch refusal.reason {
      case .notAbsolute:
        (
          "the path of a plugin must be absolute, and this is not",
          "give the whole path, beginning with a slash"
        )
      case .system(let error):
        (
          "the file cannot be opened: \(error.plainReason)",
          error.isMissing
            ? "install the plugin, or correct the job's `plugin`" : "let the job's user read it"
        )
      case .notRegular:
        ("a plugin must be a regular file, and this is something else", "correct the job's `plugin`")
      case .untrusted(let step, let fault, let rule):
        Self.words(step, fault, rule, at: refusal.path)
      }
    self.init(file: file, reason: reason, remedy: remedy)
  }

  private static func words(
    _ step: TrustRule.Step, _ fault: TrustRule.Fault, _ rule: TrustRule, at path: String
  ) -> (reason: String, remedy: String) {
    switch fault {
    case .foreignOwner(let owner):
      let subject =
        switch step {
        case .file: "the file"
        case .link: "the link \(path)"
        case .directory, .holder: "the directory \(path)"
        }
      let trusted = rule.user == 0 ? "root" : "root or user \(rule.user)"
      return (
        "\(subject) belongs to user \(owner) and must belong to \(trusted), as whom the plugin would run",
        "run chown \(step == .link ? "-h " : "")root \(path), or install the plugin elsewhere"
      )
    case .writable(let mode):
      let octal = "0" + String(mode, radix: 8)
      return step == .file
        ? ("others than root and its owner may change it: its mode is \(octal)", "run chmod go-w \(path)")
        : (
          "others than root and its owner may replace it: the mode of \(path) is \(octal)",
          "run chmod go-w \(path), or install the plugin elsewhere"
        )
    }
  }
}
