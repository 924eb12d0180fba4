import ArgumentParser
import Glibc
import TimelineCore
import TimelineImport
import TimelineLoading
import TimelineSystem

extension ImportCommand {
  /// `timelinectl import timers`: the jobs of systemd.
  struct Timers: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "timers",
      abstract: "Turn systemd timers and their services into a configuration.",
      discussion: """
        A timer is the name of a unit or the path of its file. For a path, the service and the drop-ins (NAME.d/*.conf) are read from \
        the same directory. Without a timer, all enabled timers are imported. If a service has a setting without a job key, for \
        example a sandbox, the job runs `systemctl start`.
        """)

    @Argument(help: "The timers.", completion: .file(extensions: ["timer"]))
    var units: [String] = []

    @OptionGroup var options: ImportOptions

    func run() throws {
      let finder = UnitFinder()
      let context = ImportContext.ofThisMachine
      var sources: [TimerSource] = []
      do throws(SystemError) {
        for name in units.isEmpty ? try finder.enabledTimers() : units {
          let name = name.hasSuffix(".timer") ? name : name + ".timer"
          guard let timer = try finder.unit(name) else {
            throw SystemError(
              code: ENOENT, call: "open", subject: name,
              remedy: "`systemctl list-timers --all` lists the timers; the file of one is named by its path.")
          }
          let started = TimerSource.startedUnit(of: timer, in: context)
          let beside = name.contains("/") ? name.parentDirectory.appending(fileName: started) : started
          let generatedFrom = TimerSource.sourcePath(of: timer).flatMap {
            try? FileContents.read($0, limit: CrontabSource.byteCountMax).bytes
          }
          sources.append(
            TimerSource(
              timer: timer, service: try finder.unit(beside),
              generatedFrom: generatedFrom.map { String(decoding: $0, as: UTF8.self) },
              places: timer.paths.prefix(1).flatMap { path in
                [CurrentProcess.absolutePath(path), CurrentProcess.realPath(path) ?? path]
              }))
        }
      } catch {
        throw fail("timelinectl: error: \(error)", status: .inputOutput)
      }
      let made = TimerImport(sources, in: context)
      let paths = sources.flatMap { $0.timer.paths + ($0.service?.paths ?? []) }
      let isPrivate = paths.contains { (try? FileFacts(at: $0)).map { $0.mode & 0o004 == 0 } ?? true }
      try options.conclude(made.file, made.report, made.rules, isPrivate: isPrivate)
    }
  }
}

/// Finds units with their drop-ins: by `systemctl cat`, or on disk if systemd does not run or a path is given.
struct UnitFinder {
  /// systemd.unit(5), "Unit File Load Path", from the last to the first.
  private static let directories = [
    "/lib/systemd/system", "/usr/lib/systemd/system", "/usr/local/lib/systemd/system",
    "/run/systemd/generator",
    "/run/systemd/system", "/etc/systemd/system",
  ]
  private static let timeout = ElapsedTime.seconds(30)

  /// The enabled timers, by name.
  func enabledTimers() throws(SystemError) -> [String] {
    let arguments = ["list-unit-files", "--type=timer", "--state=enabled", "--no-legend", "--plain"]
    return try systemctl(arguments).split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
  }

  /// Reads a unit by its name or the path of its file; `nil` if it is not there.
  func unit(_ name: String) throws(SystemError) -> UnitFile? {
    let unitName = name.split(separator: "/").last.map(String.init) ?? name
    if name.contains("/") { return try unit(unitName, in: [name.parentDirectory]) }
    if let text = try? systemctl(["cat", "--no-pager", "--", name]), !text.isEmpty {
      return UnitFile(name: unitName, parts: UnitFile.parts(ofListing: text))
    }
    return try unit(unitName, in: Self.directories)
  }

  private func unit(_ name: String, in directories: [String]) throws(SystemError) -> UnitFile? {
    let names = [UnitFile.template(of: name), name].compactMap(\.self)
    var parts: [UnitFile.Part] = []
    let candidates = names.flatMap { name in directories.map { $0.appending(fileName: name) } }
    guard let fragment = candidates.last(where: { (try? FileFacts(at: $0)) != nil }) else { return nil }
    parts.append(try part(fragment))
    var dropIns: [String: String] = [:]
    for directory in names.flatMap({ name in directories.map { $0.appending(fileName: name + ".d") } }) {
      for file in (try? DirectoryListing.names(in: directory)) ?? [] where file.hasSuffix(".conf") {
        dropIns[file] = directory.appending(fileName: file)
      }
    }
    for (_, path) in dropIns.sorted(on: \.key) { parts.append(try part(path)) }
    return UnitFile(name: name, parts: parts)
  }

  private func part(_ path: String) throws(SystemError) -> UnitFile.Part {
    let contents = try FileContents.read(path, limit: UnitFile.byteCountMax)
    return UnitFile.Part(path: path, text: String(decoding: contents.bytes, as: UTF8.self))
  }

  private func systemctl(_ arguments: [String]) throws(SystemError) -> String {
    let (output, end) = try FilterProcess.run(
      executable: "/usr/bin/systemctl", arguments: arguments, input: [], outputMax: UnitFile.byteCountMax,
      timeout: Self.timeout)
    return end == .exited(0) ? String(decoding: output, as: UTF8.self) : ""
  }
}
