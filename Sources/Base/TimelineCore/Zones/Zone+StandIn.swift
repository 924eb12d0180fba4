extension Zone {
  /// Makes a zone of that name with the rules of UTC, for display only, in place of a zone whose rules cannot be
  /// read.
  package init(standingInFor name: String) {
    self.init(
      storage: ZoneStorage(
        name: name, types: [ZoneLocalTime(offset: 0, isDaylightSaving: false, abbreviation: "UTC")],
        stretches: [(start: .min, type: 0)]))
  }
}
