import TimelineCore

/// Reads `mode` and `low-frequency` of `[daemon]`. Reports errors and keeps the default.
struct ModeReader {
  let reading: FileReading

  private static let example = [
    "it looks like { on-battery = true, pressure = { cpu = \"60%\", for = \"30s\" } }"
  ]
  private static let pressureExample = ["it looks like { cpu = \"60%\", io = \"40%\", for = \"30s\" }"]

  /// Fills `settings` from the fields of `[daemon]`.
  func read(_ fields: Fields, into settings: inout ModeSettings) {
    if let item = fields["mode"], let choice = reading.choice(item, of: ModeChoice.self) {
      settings.choice = choice
    }
    guard let item = fields["low-frequency"],
      let entries = reading.table(item, expected: "a table of conditions", help: Self.example)
    else { return }
    readLowFrequency(
      Fields(entries, of: .lowFrequency, path: item.path + ".", in: reading), into: &settings.lowFrequency)
    if settings.choice != .auto, settings.lowFrequency.hasConditions {
      reading.log.warning(
        "`low-frequency` has conditions that do nothing beside `mode = \"\(settings.choice.rawValue)\"`",
        at: item.keyPlace, help: ["leave `mode` out, or write mode = \"auto\""])
    }
  }

  private func readLowFrequency(_ fields: Fields, into settings: inout LowFrequencySettings) {
    if let item = fields["on-battery"], let isForBattery = reading.boolean(item) {
      settings.isForBattery = isForBattery
    }
    if let item = fields["cadence"],
      let cadence = reading.choice(item, of: LowFrequencyCadence.self)
    {
      settings.cadence = cadence
    }
    guard let item = fields["pressure"],
      let entries = reading.table(item, expected: "a table of thresholds", help: Self.pressureExample)
    else { return }
    let pressure = Fields(entries, of: .pressure, path: item.path + ".", in: reading)
    let given = PressureResource.allCases.filter { pressure[$0.rawValue] != nil }
    if given.isEmpty {
      reading.log.error(
        "`pressure` has no threshold", at: item.keyPlace, label: "expected `cpu`, `memory` or `io` in it",
        help: Self.pressureExample)
    }
    for resource in given {
      if let item = pressure[resource.rawValue] { settings.thresholds[resource] = threshold(item) }
    }
    if let item = pressure["for"], let length = reading.elapsed(item, atLeast: .zero) {
      settings.duration = length
    }
    if let item = pressure["release"], let share = threshold(item) { settings.releasePercent = share }
  }

  /// Returns a percentage above 0%. At 0%, every machine would always be at the threshold and never below it.
  private func threshold(_ item: Item) -> Int? {
    guard let share = reading.percentage(item) else { return nil }
    guard share > 0 else {
      reading.log.error("`\(item.path)` is too small", at: item.place, label: "expected \"1%\" to \"100%\"")
      return nil
    }
    return share
  }
}
