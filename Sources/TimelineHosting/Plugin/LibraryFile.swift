internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// An open library file that is trusted by ``TrustRule`` for the user that this process is.
///
/// The file that is judged is the one that is loaded: it is opened once and loaded through `/proc/self/fd`. The price is that
/// `$ORIGIN` in the library's run path means nothing.
struct LibraryFile: ~Copyable {
  private let file: TrustedFile

  /// Opens and judges the file at `path`, an absolute path. The name service is waited for only with `trustingPrivateGroups`.
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

  /// A name for the open file itself, for as long as this value lives.
  var path: String { file.path }

  /// The facts of the open file when it was judged.
  var facts: FileFacts { file.facts }

  /// The contents of the open file.
  borrowing func contents(limit: Int) throws(SystemError) -> [UInt8] { try file.contents(limit: limit) }

  /// Refuses a file, known to operators by `path`, whose contents are not those of the digest.
  ///
  /// The contents can be changed after this by those alone who are trusted: root, or the user that this process is.
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

  /// Keeps the file open for as long as the process lives: the loader knows the library by this name.
  consuming func keepOpen() { file.keepOpen() }
}

extension Refusal {
  /// The refusal of a plugin whose file is not trusted, or not to be had.
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
