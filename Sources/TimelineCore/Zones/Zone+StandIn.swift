extension Zone {
  /// A zone of that name with the rules of UTC, in place of one whose rules cannot be read: something to show, not to plan by.
  package init(standingInFor name: String) {
    self.init(
      storage: ZoneStorage(
        name: name, types: [ZoneLocalTime(offset: 0, isDaylightSaving: false, abbreviation: "UTC")],
        stretches: [(start: .min, type: 0)]))
  }
}
