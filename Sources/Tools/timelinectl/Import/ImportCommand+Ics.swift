import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineImport
import TimelineLoading
import TimelineSystem

extension ImportCommand {
  /// `timelinectl import ics`: the events of a calendar.
  struct Ics: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ics",
      abstract: "Turn the events of an iCalendar file into a configuration.",
      discussion: """
        Each event becomes a job that runs at its start, and logs its summary or calls the plugin of --plugin. Events that are past become no \
        job. An event in a time zone that this machine does not have is not carried; --zone names the zone that is meant. \
        --prove compares two years with libical.
        """)

    @Argument(
      help: "The iCalendar file; \"-\" reads standard input.",
      completion: .file(extensions: ["ics", "ical", "icalendar"]))
    var file: String

    @Option(help: ArgumentHelp("The plugin of the jobs. Default: log, with the summary.", valueName: "name"))
    var plugin: String?

    @Option(
      name: .customLong("with"),
      help: ArgumentHelp(
        "With --plugin: the parameters, for example '{ command = [\"/usr/local/bin/x\"] }'.",
        valueName: "TOML"))
    var parameters: String?

    @Option(
      name: .customLong("zone"),
      help: ArgumentHelp(
        "The zone of a TZID that this machine does not have, for example 'W. Europe Standard Time=Europe/Berlin'.",
        valueName: "TZID=zone"))
    var zones: [String] = []

    @OptionGroup var options: ImportOptions

    func validate() throws {
      if parameters != nil, plugin == nil {
        throw ValidationError("--with has the parameters of a plugin; give --plugin too")
      }
      if let parameters {
        let isTable = parameters.hasPrefix("{") && parameters.hasSuffix("}")
        guard isTable, parameters.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
          throw ValidationError(
            "--with: expected an inline table of TOML, for example { command = [\"/usr/local/bin/x\"] }")
        }
      }
      _ = try renamedZones()
    }

    func run() throws {
      let (bytes, isPrivate) = try read()
      let start = try options.start()
      let catalog = ZoneCatalog()
      let context = IcalContext(
        machine: .ofThisMachine, machineZone: catalog.machineZone, renamedZones: try renamedZones(),
        work: IcalContext.Work(plugin: plugin ?? "log", parameters: parameters), start: start,
        zone: { catalog.zone(named: $0) })
      for (option, name) in try renamedZones() where catalog.zone(named: name) == nil {
        throw ValidationError("--zone \(option)=\(name): there is no time zone \"\(name)\" on this machine")
      }
      if let fault = context.faultOfWork { throw ValidationError("--plugin and --with: \(fault)") }
      let path = file == "-" ? "<stdin>" : file
      let made = IcalImport(try output(of: bytes, from: start), from: path, in: context)
      try options.conclude(made.file, made.report, made.rules, isPrivate: isPrivate)
    }

    /// The zones of `--zone`, by TZID.
    private func renamedZones() throws -> [String: String] {
      var renamed: [String: String] = [:]
      for zone in zones {
        // A name of the zone database has no `=`.
        guard let equal = zone.lastIndex(of: "="), equal != zone.startIndex else {
          throw ValidationError("--zone \(zone): expected TZID=zone, for example 'CET time=Europe/Berlin'")
        }
        renamed[String(zone[..<equal])] = String(zone[zone.index(after: equal)...])
      }
      return renamed
    }

    private func read() throws -> (bytes: [UInt8], isPrivate: Bool) {
      let limit = ConfigurationLimits.fileByteCountMax
      do throws(SystemError) {
        // The calendar of a user is private, also from standard input.
        if file == "-" { return (try StandardInput.read(atMost: limit + 1), true) }
        let contents = try FileContents.read(file, limit: limit)
        return (contents.bytes, contents.facts.mode & 0o004 == 0)
      } catch {
        throw fail("timelinectl: error: \(error)", status: .inputOutput)
      }
    }

    /// The events of the file, for a proof with the times of their rules.
    private func output(of bytes: [UInt8], from start: WallInstant) throws -> IcalOutput {
      let reader = CalendarReader(path: Installation().calendarReaderPath)
      var output = reader.series(
        of: bytes, expandedFor: options.prove ? IcalExpansion.range(from: start) : nil)
      var missingTimes = "the rules were not expanded"
      if options.prove, case .failure(let refusal) = output {
        // A rule can take libical too long. The events are read without it.
        missingTimes = refusal.reason
        output = reader.series(of: bytes)
      }
      let lines: [UInt8]
      switch output {
      case .success(let bytes): lines = bytes
      case .failure(let refusal): throw fail("timelinectl: error: \(refusal.reason)", status: .inputOutput)
      }
      do throws(IcalOutput.Refusal) {
        return try IcalOutput(lines, missingTimes: missingTimes)
      } catch {
        throw fail("timelinectl: error: \(file):\(error.line):\(error.column): \(error.reason.printable)")
      }
    }
  }
}
