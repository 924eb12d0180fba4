import TimelineCore

/// Reads what a job does when the world is in the way. What is wrong is reported, and then the default stands.
struct PolicyReader {
  let reading: FileReading
  let fields: Fields

  func read() -> JobPolicies {
    var policies = JobPolicies()
    if let item = fields["timeout"] { policies.timeout = reading.elapsed(item, atLeast: .milliseconds(1)) }
    if let item = fields["grace"], let grace = reading.elapsed(item, atLeast: .zero) {
      policies.grace = grace
    }
    if let item = fields["expect"], let expect = reading.elapsed(item, atLeast: .zero) {
      policies.expect = expect
    }
    if let item = fields["priority"],
      let priority = reading.integer(item, in: -Limits.priorityMax...Limits.priorityMax)
    {
      policies.priority = priority
    }
    if let item = fields["overlap"], let overlap = reading.choice(item, of: OverlapPolicy.self) {
      policies.overlap = overlap
      refuse("overlap", overlap.rawValue, at: item.place)
    }
    if let item = fields["delivery"], let delivery = reading.choice(item, of: DeliveryPolicy.self) {
      policies.delivery = delivery
      refuse("delivery", delivery.rawValue, at: item.place)
    }
    if let item = fields["missed"], let missed = missed(item) { policies.missed = missed }
    if let item = fields["retry"] {
      policies.retry = retry(item)
      reading.refuse("job.retry", called: "`retry`", at: item.keyPlace)
    }
    return policies
  }

  private func refuse(_ key: String, _ value: String, at place: SourcePlace) {
    reading.refuse("\(key).\(value)", called: "`\(key)` \"\(value)\"", at: place)
  }

  private func missed(_ item: Item) -> MissedPolicy? {
    guard case .table(let entries) = item.value.content else {
      guard case .string = item.value.content else {
        reading.wrongKind(
          item, expected: "a policy such as \"latest\", or a table with `policy` and `window`")
        return nil
      }
      return choice(item).map { MissedPolicy(choice: $0) }
    }
    let fields = Fields(entries, of: .missed, path: item.path + ".", in: reading)
    let window = fields["window"].flatMap { reading.elapsed($0, atLeast: .milliseconds(1)) }
    let choice = fields["policy"].flatMap(choice) ?? .latest
    if let window = fields["window"], choice == .skip {
      reading.log.error(
        "`\(window.path)` contradicts the policy \"skip\"", at: window.keyPlace,
        label: "expected no window: nothing that was missed is run")
    }
    return MissedPolicy(choice: choice, window: window)
  }

  private func choice(_ item: Item) -> MissedPolicy.Choice? {
    guard let choice = reading.choice(item, of: MissedPolicy.Choice.self) else { return nil }
    refuse("missed", choice.rawValue, at: item.place)
    return choice
  }

  private func retry(_ item: Item) -> RetryPolicy? {
    let example = ["it looks like { attempts = 3, backoff = { from = \"1s\", to = \"1m\" } }"]
    guard let entries = reading.table(item, expected: "a table with `attempts`", help: example) else {
      return nil
    }
    let fields = Fields(entries, of: .retry, path: item.path + ".", in: reading)
    if fields["attempts"] == nil {
      reading.log.error(
        "`retry` has no `attempts`", at: item.keyPlace, label: "expected how often to try in all",
        help: example)
    }
    let attempts = fields["attempts"].flatMap { reading.integer($0, in: 2...Limits.attemptCountMax) }
    var (from, to): (ElapsedTime?, ElapsedTime?) = (.seconds(1), .minutes(1))
    if let backoff = fields["backoff"] {
      guard let entries = reading.table(backoff, expected: "a table with `from` and `to`", help: example)
      else {
        return nil
      }
      let pauses = Fields(entries, of: .backoff, path: backoff.path + ".", in: reading)
      from = pauses["from"].map { reading.elapsed($0, atLeast: .zero) } ?? from
      to =
        pauses["to"].map { reading.elapsed($0, atLeast: .zero) }
        ?? to.flatMap { to in from.map { max($0, to) } }
      if let from, let to, to < from, let item = pauses["to"] {
        reading.log.error(
          "`\(item.path)` is shorter than `from`", at: item.place, label: "expected at least \"\(from)\"")
      }
    }
    guard let attempts, let from, let to else { return nil }
    return RetryPolicy(attempts: attempts, backoffFrom: from, backoffTo: to)
  }
}
