import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHosting

/// Settings that a host applies before it loads a plugin, as seen by the plugin. Tests that need root are skipped for others.
@Suite struct SetupTests {
  private static let tells = PluginSource.run(
    #"""
    struct rlimit memory, cpu, files, processes;
    getrlimit(RLIMIT_AS, &memory);
    getrlimit(RLIMIT_CPU, &cpu);
    getrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_NPROC, &processes);
    mode_t mask = umask(0);
    umask(mask);
    char directory[512], text[1024];
    const char *variable = getenv("GREETING");
    snprintf(text, sizeof text, "memory %lu cpu %lu/%lu files %lu processes %lu nice %d io %ld umask %o in %s env %s",
      memory.rlim_cur, cpu.rlim_cur, cpu.rlim_max, files.rlim_cur, processes.rlim_cur, getpriority(PRIO_PROCESS, 0),
      syscall(SYS_ioprio_get, 1, 0), mask, getcwd(directory, sizeof directory), variable ? variable : "none");
    host->set_result(context->call, text);
    return TIMELINED_OK;
    """#, before: "#include <sys/resource.h>\n#include <sys/stat.h>\n#include <sys/syscall.h>")

  private func loaded(
    _ host: HostProcess, _ source: String, user: String? = nil, _ adjust: (inout HostSetup) -> Void
  ) throws -> Workshop {
    let workshop = try Workshop()
    var setup = HostSetup()
    adjust(&setup)
    let answer = try host.load(try workshop.compile(source), user: user, setup: setup)
    guard case .loaded = answer else { throw TestFailure("not loaded: \(String(describing: answer))") }
    try host.open()
    return workshop
  }

  @Test func `every setting is in force in the plugin`() throws {
    let host = try HostProcess()
    let workshop = try loaded(host, Self.tells) {
      $0.memoryBytes = 1 << 30
      $0.processorTime = .milliseconds(2_500)
      $0.openFileCount = 100
      $0.processCount = 1_000
      $0.niceness = 7
      $0.ioPriority = .bestEffort(level: 6)
      $0.fileModeMask = 0o027
      $0.workingDirectory = "/usr"
      $0.environment = ["GREETING": "hello = there"]
    }
    defer { withExtendedLifetime(workshop) {} }
    // The kernel writes best effort 6 as 2 << 13 | 6.
    #expect(
      try host.run().end.text
        == "memory 1073741824 cpu 3/8 files 100 processes 1000 nice 7 io 16390 umask 27 in /usr env hello = there"
    )
  }

  @Test func `a host without settings keeps its inherited ones`() throws {
    let here = try HostProcess()
    let plain = try loaded(here, Self.tells) { _ in }
    let idle = try HostProcess()
    let other = try loaded(idle, Self.tells) { $0.ioPriority = .idle }
    defer { withExtendedLifetime((plain, other)) {} }
    #expect(try here.run().end.text.contains("env none"))
    #expect(try idle.run().end.text.contains("io 24576 "))
  }

  @Test(.enabled(if: isRoot, "only root can favour a process and become another user"))
  func `settings that need root are applied before the host becomes the user`() throws {
    let host = try HostProcess()
    let workshop = try loaded(host, Self.tells, user: "nobody") {
      $0.niceness = -3
      $0.workingDirectory = "/tmp"
    }
    defer { withExtendedLifetime(workshop) {} }
    let text = try host.run().end.text
    #expect(text.contains("nice -3 ") && text.contains("in /tmp"), "\(text)")
  }

  @Test func `variables of later environment files and of the job replace those of the earlier files`() throws
  {
    let host = try HostProcess()
    let files = try Workshop()
    let paths = [
      try files.write("GREETING=first\nHOME='/of the file'\n", to: "first"),
      "-" + files.path + "/missing", try files.write("GREETING=second\nOTHER=2", to: "second"),
    ]
    let tells = PluginSource.run(
      #"""
      char text[256];
      snprintf(text, sizeof text, "%s %s %s", getenv("GREETING"), getenv("HOME"), getenv("OTHER"));
      host->set_result(context->call, text);
      return TIMELINED_OK;
      """#)
    let workshop = try loaded(host, tells) {
      $0.environmentFiles = paths.map { ExpectedPath($0) }
      $0.environment = ["OTHER": "own"]
    }
    defer { withExtendedLifetime((workshop, files)) {} }
    #expect(try host.run().end.text == "second /of the file own")
  }

  /// Files that are not used: the text, its permissions, and a part of the reason.
  static let badFiles: [(text: String?, mode: mode_t, reason: String)] = [
    (nil, 0, "there is no file "), ("A=1", 0o666, "others than its owner may change "),
    ("A=\0", 0o644, "is not UTF-8, or has a NUL"),
    (String(repeating: "#", count: JobLimits.environmentFileMax + 1), 0o644, "cannot be read: "),
    ((0...256).map { "A\($0)=x" }.joined(separator: "\n"), 0o644, "have 257 variables, and may have 256"),
  ]

  @Test(arguments: badFiles.indices)
  func `an environment file that cannot be used is refused`(index: Int) throws {
    let (text, mode, reason) = Self.badFiles[index]
    let workshop = try Workshop()
    if let text {
      try workshop.write(text, to: "file")
      unsafe chmod(workshop.path + "/file", mode)
    }
    var setup = HostSetup()
    setup.environmentFiles = [ExpectedPath(path: workshop.path + "/file")]
    guard case .refused(let refusal) = try HostProcess().load(try workshop.compile(Self.tells), setup: setup)
    else { throw TestFailure("not refused") }
    #expect(refusal.reason.contains(reason), "\(refusal)")
    // The mark `-` allows a missing file, and no other fault.
    setup.environmentFiles = [ExpectedPath(path: workshop.path + "/file", mayBeMissing: true)]
    let answer = try HostProcess().load(try workshop.compile(Self.tells), setup: setup)
    let isLoaded = if case .loaded = answer { true } else { false }
    #expect(isLoaded == (text == nil))
  }

  @Test(.enabled(if: isRoot, "only root can give files away"))
  func `an environment file of another user is refused`() throws {
    let workshop = try Workshop()
    let path = try workshop.write("A=1", to: "file")
    let nobody = unsafe try #require(unsafe getpwnam("nobody")).pointee.pw_uid
    unsafe chown(path, nobody, 0)
    var setup = HostSetup()
    setup.environmentFiles = [ExpectedPath(path: path)]
    let library = try workshop.compile(Self.tells)
    guard case .refused(let refusal) = try HostProcess().load(library, user: "nobody", setup: setup) else {
      throw TestFailure("not refused")
    }
    #expect(refusal.reason.contains("\(path) belongs to user \(nobody)"), "\(refusal)")
  }

  struct Refused: CustomTestStringConvertible, Sendable {
    var setting: String
    var adjust: @Sendable (inout HostSetup) -> Void
    var reason: String
    var remedy: String
    var testDescription: String { setting }
  }

  @Test(arguments: [
    Refused(
      setting: "environment", adjust: { $0.environment = ["A=B": "c"] },
      reason: "the variable \"A=B\", which no environment can hold", remedy: "without ="),
    Refused(
      setting: "memory", adjust: { $0.memoryBytes = 1 << 20 },
      reason: "may have 1048576 bytes of memory", remedy: "raise the job's limit of memory to"),
    Refused(
      setting: "io priority", adjust: { $0.ioPriority = .bestEffort(level: 8) },
      reason: "io priority has the level 8", remedy: "a level from 0"),
    Refused(
      setting: "credential without a directory", adjust: { $0.credentials = ["key": "/etc/passwd"] },
      reason: "there is no directory to put them in", remedy: "run the job in timelined"),
  ])
  func `a setting that fails is refused with its name, the reason and a remedy`(refused: Refused) throws {
    let workshop = try Workshop()
    var setup = HostSetup()
    refused.adjust(&setup)
    guard case .refused(let refusal) = try HostProcess().load(try workshop.compile(Self.tells), setup: setup)
    else { throw TestFailure("not refused") }
    #expect(refusal.reason.contains(refused.reason), "\(refusal)")
    #expect(refusal.remedy.contains(refused.remedy), "\(refusal)")
  }

  @Test func `a plugin whose file does not have the digest is not loaded`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(Self.tells)
    let digest = try FileDigest(ofFileAt: library)
    var setup = HostSetup()
    setup.pluginDigest = digest
    guard case .loaded = try HostProcess().load(library, setup: setup) else {
      throw TestFailure("not loaded")
    }
    let other = try #require(FileDigest(String(repeating: "0", count: FileDigest.digitCount)))
    setup.pluginDigest = other
    guard case .refused(let refusal) = try HostProcess().load(library, setup: setup) else {
      throw TestFailure("not refused")
    }
    #expect(refusal.reason.contains(digest.text) && refusal.reason.contains(other.text), "\(refusal)")
  }

  @Test(.enabled(if: isRoot, "only root can start a host that is not"))
  func `a host that is not root refuses settings that need root`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(Self.tells)
    let launcher = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    func refusal(_ adjust: (inout HostSetup) -> Void) throws -> Refusal {
      var setup = HostSetup()
      adjust(&setup)
      guard case .refused(let refusal) = try HostProcess(launcher: launcher).load(library, setup: setup)
      else { throw TestFailure("not refused") }
      return refusal
    }
    let favoured = try refusal { $0.niceness = -5 }
    #expect(favoured.reason.contains("niceness of -5 cannot be set: permission denied"), "\(favoured)")
    #expect(favoured.remedy.contains("CAP_SYS_NICE"))
    let files = try refusal { $0.openFileCount = 1 << 40 }
    #expect(files.reason.contains("1099511627776 open files cannot be set"), "\(files)")
    #expect(files.remedy.contains("LimitNOFILE="))
  }

  @Test func `the memory that a refusal names is enough`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(Self.tells)
    var setup = HostSetup()
    setup.memoryBytes = 0
    guard case .refused(let refusal) = try HostProcess().load(library, setup: setup),
      let megabytes = refusal.remedy.split(separator: " ").compactMap({ UInt64($0) }).first
    else { throw TestFailure("not refused with a figure") }
    print("the least memory of a host: \(megabytes) MiB")
    setup.memoryBytes = megabytes << 20
    let host = try HostProcess()
    guard case .loaded = try host.load(library, setup: setup) else { throw TestFailure("refused") }
    try host.open()
    #expect(try host.run().end.text.hasPrefix("memory \(megabytes << 20) "))
  }
}

/// Access to credentials, and their removal.
@Suite struct CredentialTests {
  /// Returns the credential `key`, with the modes of directory and file.
  private static let reads = PluginSource.run(
    #"""
    char path[512], secret[64] = "", text[256];
    const char *directory = getenv("CREDENTIALS_DIRECTORY");
    if (directory == NULL) return TIMELINED_FAIL(context, "no directory");
    snprintf(path, sizeof path, "%s/key", directory);
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(secret, sizeof secret, file) == NULL) return TIMELINED_FAIL(context, "unreadable");
    struct stat of_file, of_directory;
    stat(path, &of_file);
    stat(directory, &of_directory);
    snprintf(text, sizeof text, "%s %o %o %s", secret, of_file.st_mode & 07777, of_directory.st_mode & 07777,
      getuid() == 0 ? "root" : unlink(path) == 0 || rename(path, "/tmp/x") == 0 ? "changed" : "unchanged");
    host->set_result(context->call, text);
    return TIMELINED_OK;
    """#, before: "#include <sys/stat.h>")

  private func setup(_ file: String) -> HostSetup {
    var setup = HostSetup()
    setup.credentials = ["key": file]
    return setup
  }

  @Test(.enabled(if: isRoot, "only root can become another user"))
  func `the job's user can read a file of root as a credential, and cannot change it`() throws {
    let workshop = try Workshop()
    let secret = try workshop.write("abracadabra", to: "secret", mode: 0o600)
    let library = try workshop.compile(Self.reads)
    let host = try HostProcess()
    guard
      case .loaded = try host.load(
        library, user: "nobody", setup: setup(secret), credentialsDirectory: workshop.path + "/1")
    else { throw TestFailure("not loaded") }
    try host.open()
    #expect(try host.run().end.text == "abracadabra 400 550 unchanged")
    #expect(throws: (any Error).self) {
      try shell(
        "setpriv", "--reuid=daemon", "--regid=daemon", "--clear-groups", "cat", workshop.path + "/1/key")
    }
  }

  @Test func `directories that are no copies of the daemon are kept`() throws {
    let workshop = try Workshop()
    let root = workshop.path + "/credentials"
    #expect(PrivateDirectory.makeRoot(at: root) && PrivateDirectory.makeRoot(at: root))
    for name in ["aws", "7", "8", "9"] { try CurrentProcess.makeDirectory("\(root)/\(name)", mode: 0o700) }
    for name in ["aws", "7", "8", "9"] { try workshop.write("x", to: "credentials/\(name)/key", mode: 0o600) }
    try shell("chmod", "770", root + "/7")
    try shell("chown", "1:1", root + "/8")
    try PrivateDirectory.removeAbandoned(in: root)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root).sorted() == ["7", "8", "aws"])
    try shell("chmod", "777", root)
    #expect(!PrivateDirectory.makeRoot(at: root))
    try shell("chmod", "700", root + "/7")
    try PrivateDirectory.removeAbandoned(in: root)
    #expect(FileManager.default.fileExists(atPath: root + "/7/key"), "anybody may have put it there")
  }

  @Test func `copies are removed, and abandoned copies are found`() throws {
    let workshop = try Workshop()
    let secret = try workshop.write("abracadabra", to: "secret", mode: 0o600)
    let library = try workshop.compile(Self.reads)
    #expect(PrivateDirectory.makeRoot(at: workshop.path + "/credentials"))
    let directory = workshop.path + "/credentials/1"
    let host = try HostProcess()
    guard case .loaded = try host.load(library, setup: setup(secret), credentialsDirectory: directory) else {
      throw TestFailure("not loaded")
    }
    try host.open()
    #expect(try host.run().end.text.hasPrefix("abracadabra 400 550 "))
    try PrivateDirectory.removeAbandoned(in: workshop.path + "/credentials")
    #expect(FileManager.default.fileExists(atPath: directory), "its host lives")
    _ = try host.child.signalGroup(.kill)
    _ = try host.end()
    try PrivateDirectory.removeAbandoned(in: workshop.path + "/credentials")
    #expect(!FileManager.default.fileExists(atPath: directory), "its host was killed")
    try PrivateDirectory.remove(at: directory)
    #expect(try PrivateDirectory.remove(files: ["key"], at: directory), "one that is gone is removed")
  }

  @Test(arguments: [
    ("key", "/no/such/secret", "there is no file /no/such/secret", "create the file"),
    ("../key", "/etc/passwd", "\"../key\", which is no name of a file", "without a slash"),
    ("key", "/dev/zero", "/dev/zero is not a regular file", "name a file"),
    ("key", "shared", "others than its owner may change ", "chmod go-w "),
    ("key", "large", "file too large", "below 1048576 bytes"),
  ])
  func `a credential that cannot be copied is refused, and no copy remains`(
    name: String, file: String, reason: String, remedy: String
  ) throws {
    let workshop = try Workshop()
    let library = try workshop.compile(Self.reads)
    let large = try workshop.write(String(repeating: "x", count: 1_048_577), to: "large")
    var setup = HostSetup()
    let shared = try workshop.write("secret", to: "shared")
    unsafe chmod(shared, 0o666)
    setup.credentials = [name: ["large": large, "shared": shared][file] ?? file]
    let directory = workshop.path + "/1"
    guard
      case .refused(let refusal) = try HostProcess().load(
        library, setup: setup, credentialsDirectory: directory)
    else { throw TestFailure("not refused") }
    #expect(refusal.reason.contains(reason) && refusal.remedy.contains(remedy), "\(refusal)")
    #expect(!FileManager.default.fileExists(atPath: directory))
  }
}
