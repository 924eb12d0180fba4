import TimelineCore

extension LowFrequencySettings {
  /// The table with its defaults filled in; `pressure` gets defaults only if it has a threshold.
  var tableText: String {
    var values = [("on-battery", isForBattery ? "true" : "false")]
    if !thresholds.isEmpty { values.append(("pressure", pressureText)) }
    values.append(("cadence", TOMLText.string(cadence.rawValue)))
    return TOMLText.table(values)
  }

  private var pressureText: String {
    var values = PressureResource.allCases.compactMap { resource in
      thresholds[resource].map { (resource.rawValue, TOMLText.string("\($0)%")) }
    }
    values.append(("for", TOMLText.string("\(duration)")))
    values.append(("release", TOMLText.string("\(releasePercent)%")))
    return TOMLText.table(values)
  }
}
