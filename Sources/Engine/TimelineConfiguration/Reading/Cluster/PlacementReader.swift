import TimelineCore

/// Reads `run-on`, `where` and `store-down` of a job. Reports contradictions to other keys.
struct PlacementReader {
  let reading: FileReading
  let fields: Fields

  private static let example = ["such as where = [\"role=db\", \"!zone=c\"]"]

  /// Reads the placement of a job with this schedule and these policies.
  func read(_ schedule: ScheduleRule?, _ policies: JobPolicies) -> JobPlacement {
    var placement = JobPlacement()
    if let item = fields["run-on"], let runOn = reading.choice(item, of: JobPlacement.RunOn.self) {
      placement.runOn = runOn
    }
    if let item = fields["where"] { placement.rules = rules(item) }
    if let item = fields["store-down"],
      let storeDown = reading.choice(item, of: JobPlacement.StoreDown.self)
    {
      placement.storeDown = storeDown
    }
    checkStoreDown(placement, schedule, policies)
    switch placement.runOn {
    case .every: checkRules()
    case .one: checkOne(schedule, policies)
    }
    return placement
  }

  private func rules(_ item: Item) -> [LabelRule] {
    var help = Self.example
    if case .string(let text) = item.value.content { help = ["write it in brackets: [\"\(text)\"]"] }
    guard let items = reading.array(item, expected: "an array of labels", help: help) else { return [] }
    if items.count > ClusterConfiguration.labelsMax {
      reading.log.error(
        "`where` has \(items.count) labels", at: item.place,
        label: "expected at most \(ClusterConfiguration.labelsMax), as a node can have")
    }
    return items.compactMap { item in
      guard let text = reading.string(item, expected: "a label such as \"role=db\"") else { return nil }
      if let rule = LabelRule(text) { return rule }
      reading.log.error(
        "\"\(text)\" is not a label", at: item.place,
        label: "expected `key=value`, or `!key=value` for nodes without it", help: Self.example)
      return nil
    }
  }

  private func checkRules() {
    guard let item = fields["where"], isRight("run-on") else { return }
    reading.log.error(
      "`where` chooses among nodes for a job that one of them runs", at: item.keyPlace,
      label: "expected `run-on = \"one\"` beside it",
      help: ["leave it out, or write `run-on = \"one\"`"])
  }

  private func checkStoreDown(
    _ placement: JobPlacement, _ schedule: ScheduleRule?, _ policies: JobPolicies
  ) {
    guard let item = fields["store-down"], isRight("run-on") else { return }
    if placement.runOn == .every {
      reading.log.error(
        "`store-down` is for a job that one node runs", at: item.keyPlace,
        label: "expected `run-on = \"one\"` beside it",
        help: ["leave it out: a job of every node needs no store"])
    } else if placement.storeDown == .ownerRuns, policies.delivery == .atMostOnce {
      let isCounted = schedule?.hasMoreThanOneEntryPerSecond ?? false
      reading.log.error(
        "`store-down` \"owner-runs\" contradicts `delivery` \"at-most-once\": another node may run the same entries",
        at: item.keyPlace, label: "expected `hold`",
        help: [
          "\(isCounted ? "let the job come less often, and " : "")write `delivery = \"at-least-once\"` if an entry may run twice"
        ])
    }
  }

  private func checkOne(_ schedule: ScheduleRule?, _ policies: JobPolicies) {
    guard let item = fields["run-on"] else { return }
    if schedule?.namesStartOfMachine ?? false {
      reading.log.error(
        "`run-on` \"one\" contradicts `@reboot`: each node has a start of its own", at: item.place,
        label: "expected `every`", help: ["leave `run-on` out, or give the job a schedule without `@reboot`"])
    }
    if !policies.groups.isEmpty {
      reading.log.warning(
        "the limits of `groups` hold on each node: jobs of other nodes do not count", at: item.keyPlace,
        help: ["leave `groups` out, or choose one node for all of them by `where`"])
    }
  }

  /// Whether `key` is absent or its value was read without an error.
  private func isRight(_ key: String) -> Bool {
    guard let item = fields[key], case .string(let text) = item.value.content else {
      return fields[key] == nil
    }
    return JobPlacement.RunOn(rawValue: text) != nil
  }
}
