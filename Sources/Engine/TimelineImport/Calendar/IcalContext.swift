import TimelineConfiguration
package import TimelineCore

/// Facts of the machine, and options, for an import of events.
package struct IcalContext {
  /// The plugin of each job, and its parameters.
  package struct Work {
    package var plugin: String
    /// The parameters as an inline table of TOML; `nil` for the summary as the message of `log`.
    package var parameters: String?

    package init(plugin: String = "log", parameters: String? = nil) {
      (self.plugin, self.parameters) = (plugin, parameters)
    }
  }

  package var machine: ImportContext
  /// Returns the zone with a name of the zone database; `nil` if there is no such zone.
  package var zone: (String) -> Zone?
  /// The zone of times without a zone.
  package var machineZone: Zone
  /// Names of the zone database by TZID, as the caller gives them.
  package var renamedZones: [String: String]
  package var work: Work
  /// Events without a time after this instant need no job.
  package var start: WallInstant
  /// Places of described zones, by TZID.
  var locations: [String: String] = [:]

  package init(
    machine: ImportContext, machineZone: Zone, renamedZones: [String: String] = [:], work: Work = Work(),
    start: WallInstant, zone: @escaping (String) -> Zone?
  ) {
    (self.machine, self.machineZone, self.zone) = (machine, machineZone, zone)
    (self.renamedZones, self.work, self.start) = (renamedZones, work, start)
  }

  /// Returns the first error of the work in a configuration; `nil` if it has none.
  package var faultOfWork: String? {
    var job = ImportedJob(name: "a")
    job.set("schedule", "on-demand")
    set(work, of: &job, summary: "a")
    return job.fault(in: machine)
  }

  /// Sets the plugin of a job.
  func set(_ work: Work, of job: inout ImportedJob, summary: String) {
    job.set("plugin", work.plugin)
    if let parameters = work.parameters {
      job.values["with"] = parameters
    } else if work.plugin == "log" {
      // A brace would begin a placeholder.
      let message = summary.replacing("{", with: "{{")
      job.values["with"] = TOMLText.table([("message", TOMLText.string(message))])
    }
  }

  /// Returns the zone of a TZID.
  ///
  /// - Throws: The reason why there is no such zone, with the remedy.
  func namedZone(_ name: String) throws(IcalObstacle) -> Zone {
    var names = [renamedZones[name] ?? name]
    // Some programs put their own name before that of the zone, between slashes.
    if name.hasPrefix("/") {
      let parts = name.split(separator: "/")
      names += parts.indices.map { parts[$0...].joined(separator: "/") }
    }
    if let location = locations[name] { names.append(location) }
    for name in names {
      if let zone = self.zone(name) { return zone }
    }
    let shown = name.prefix(Self.shownMax)
    throw IcalObstacle(
      reason:
        "the time zone \"\(shown)\" is unknown on this machine: \(machine.remedy(forZone: names[0])): give the zone that is meant by --zone '\(shown)=Europe/Berlin'"
    )
  }

  /// Characters of a foreign name in a message.
  private static let shownMax = 100
}

/// The reason why an event cannot become a job.
struct IcalObstacle: Error {
  var reason: String
}
