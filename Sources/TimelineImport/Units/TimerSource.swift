/// A timer with the unit that it starts.
package struct TimerSource: Sendable {
  /// The timer.
  package var timer: UnitFile
  /// The unit that it starts; `nil` where its file is not there.
  package var service: UnitFile?

  /// Makes a source.
  package init(timer: UnitFile, service: UnitFile?) {
    (self.timer, self.service) = (timer, service)
  }

  /// Name of the unit that a timer starts: that of `Unit=`, or its own with another suffix.
  package static func startedUnit(of timer: UnitFile, in context: ImportContext) -> String {
    let unit = timer.resolvingSpecifiers(in: context).unit
    if let name = unit.value("Timer", "Unit") { return name }
    return timer.name.hasSuffix(".timer")
      ? String(timer.name.dropLast(6)) + ".service" : timer.name + ".service"
  }
}
