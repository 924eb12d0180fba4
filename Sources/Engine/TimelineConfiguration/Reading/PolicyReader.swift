import TimelineCore

/// Reads a job's policies. Reports errors and keeps the default.
struct PolicyReader {
  let reading: FileReading
  let fields: Fields

  func read() -> JobPolicies {
    var policies = JobPolicies()
    if let item = fields["timeout"] { policies.timeout = reading.elapsed(item, atLeast: .milliseconds(1)) }
    if let item = fields["grace"], let grace = reading.elapsed(item, atLeast: .zero) {
      policies.grace = grace
    }
    if let item = fields["expected-duration"], let expect = reading.elapsed(item, atLeast: .zero) {
      policies.expect = expect
    }
    if let item = fields["priority"],
      let priority = reading.integer(
        item, in: -ConfigurationLimits.priorityMax...ConfigurationLimits.priorityMax)
    {
      policies.priority = priority
    }
    if let item = fields["overlap"], let overlap = reading.choice(item, of: OverlapPolicy.self) {
      policies.overlap = overlap
    }
    if let item = fields["concurrency"],
      let count = reading.integer(item, in: 1...ConfigurationLimits.concurrencyMax)
    {
      policies.concurrency = count
    }
    if let item = fields["waiting-max"],
      let count = reading.integer(item, in: 1...ConfigurationLimits.waitingCountMax)
    {
      policies.waitingMax = count
    }
    if let item = fields["waiting-timeout"] {
      policies.waitingTimeout = reading.elapsed(item, atLeast: .milliseconds(1))
    }
    if let item = fields["delivery"], let delivery = reading.choice(item, of: DeliveryPolicy.self) {
      policies.delivery = delivery
    }
    if let item = fields["missed"], let missed = missed(item) { policies.missed = missed }
    if let item = fields["retry"] { policies.retry = RetryReader(reading: reading).read(item) }
    return policies
  }

  private func missed(_ item: Item) -> MissedPolicy? {
    guard case .table(let entries) = item.value.content else {
      guard case .string = item.value.content else {
        reading.wrongKind(
          item, expected: "a policy such as \"latest\", or a table with `policy` and `window`")
        return nil
      }
      return reading.choice(item, of: MissedPolicy.Choice.self).map { MissedPolicy(choice: $0) }
    }
    let fields = Fields(entries, of: .missed, path: item.path + ".", in: reading)
    let window = fields["window"].flatMap {
      reading.elapsed(
        $0, atLeast: ConfigurationLimits.missedWindowMin,
        because: ": with less all are too late when the daemon is up")
    }
    let choice = fields["policy"].flatMap { reading.choice($0, of: MissedPolicy.Choice.self) } ?? .latest
    if let window = fields["window"], choice == .skip {
      reading.log.error(
        "`\(window.path)` contradicts the policy \"skip\"", at: window.keyPlace,
        label: "expected no window: nothing that was missed is run")
    }
    return MissedPolicy(choice: choice, window: window)
  }
}
