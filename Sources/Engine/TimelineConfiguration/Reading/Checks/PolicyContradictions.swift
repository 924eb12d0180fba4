import TimelineCore

/// Combinations of policies that contradict each other. A combination that breaks a policy's guarantee is an error
/// with the reason. A combination that keeps the guarantee only in part has a warning.
struct PolicyContradictions {
  let reading: FileReading
  let fields: Fields
  let policies: JobPolicies
  let schedule: ScheduleRule

  func run() {
    checkMissed()
    checkConcurrency()
    checkDelivery()
  }

  private func checkMissed() {
    guard let item = fields["missed"] else { return }
    if schedule.hasMoreThanOneEntryPerSecond, policies.missed.choice == .all || policies.missed.window != nil
    {
      return reading.log.error(
        "`missed` contradicts the schedule: more than one entry a second is counted, not kept one by one",
        at: item.keyPlace, label: "expected `latest` or `skip`, without a window",
        help: ["leave it out, or let the job come less often"], notes: note(on: "schedule"))
    }
    guard policies.missed.choice == .all, isRight("overlap", as: policies.overlap.rawValue) else { return }
    let consequence: String
    switch policies.overlap {
    case .bufferAll, .allowAll: return
    case .skip: consequence = "drops all but the first of them, since the others are due while it runs"
    case .bufferOne: consequence = "keeps the first two of them and drops the others"
    case .cancelOther, .terminateOther: consequence = "stops each of them for the next, so that one is left"
    }
    let how = fields["overlap"] == nil ? ", the default" : ""
    reading.log.error(
      "`missed` \"all\" contradicts `overlap` \"\(policies.overlap.rawValue)\"\(how), which \(consequence)",
      at: item.keyPlace, label: "expected an overlap policy that runs all",
      help: ["write `overlap = \"buffer-all\"` to run them one after the other"], notes: note(on: "overlap"))
  }

  private func checkConcurrency() {
    guard let item = fields["concurrency"], policies.concurrency > 1 else { return }
    let reason: String
    switch policies.overlap {
    case .skip, .bufferOne, .bufferAll: return
    case .cancelOther, .terminateOther: reason = "which leaves one run, the newest"
    case .allowAll: reason = "which starts every entry whatever runs"
    }
    reading.log.error(
      "`concurrency` contradicts `overlap` \"\(policies.overlap.rawValue)\", \(reason)", at: item.keyPlace,
      label: "expected one of the two",
      help: [
        "for \(policies.concurrency) runs at a time and the others after them write `overlap = \"buffer-all\"`"
      ],
      notes: note(on: "overlap"))
  }

  private func checkDelivery() {
    guard let item = fields["delivery"], policies.delivery == .atLeastOnce else { return }
    if schedule.hasMoreThanOneEntryPerSecond {
      return reading.log.error(
        "`delivery` contradicts the schedule: more than one entry a second is counted, not kept one by one",
        at: item.keyPlace, label: "expected `at-most-once`",
        help: ["leave it out, or let the job come less often"], notes: note(on: "schedule"))
    }
    switch policies.overlap {
    case .cancelOther, .terminateOther:
      reading.log.warning(
        "`delivery` \"at-least-once\" is about crashes: a run that `overlap` stops for the next is not run again",
        at: item.keyPlace, help: ["for every entry to be run to its end write `overlap = \"buffer-all\"`"],
        notes: note(on: "overlap"))
    case .skip, .bufferOne, .bufferAll, .allowAll: break
    }
    if policies.missed.choice == .skip, fields["missed"] != nil {
      reading.log.warning(
        "`delivery` \"at-least-once\" is about runs that were begun: entries that fall due while the daemon is down are dropped",
        at: item.keyPlace, help: ["for a catch-up write `missed = \"latest\"`"], notes: note(on: "missed"))
    }
  }

  /// Whether `key` is absent or has this value. A misspelt value has already been reported.
  private func isRight(_ key: String, as value: String) -> Bool {
    guard let item = fields[key] else { return true }
    if case .string(value) = item.value.content { return true }
    return false
  }

  private func note(on key: String) -> [Diagnostic.Note] {
    fields[key].map { [Diagnostic.Note(message: "`\(key)` is here", place: $0.keyPlace)] } ?? []
  }
}
