import TimelineCore
import TimelineEngineTestSupport
import TimelineStoreWire

/// Checks of a simulation by evidence alone: starts, ends, and the records in the store. The decisions of nodes are not used.
struct ClusterJudge {
  /// One call of a plugin.
  struct Start {
    var key: EntryKey
    var node: Int
    var at: Int64
    var token: Int64?
    var isComplete = false
  }

  private(set) var violations: [String] = []
  private(set) var starts: [Start] = []
  /// Entries that nodes have reported as granted twice.
  private var splits: Set<EntryKey> = []
  private var lastStart: [String: (key: EntryKey, token: Int64)] = [:]
  /// Whether a standby that lacks the last moments has taken the store's place. Only then may two nodes be granted an entry.
  var hasLostWrites = false
  /// Number of entries that two nodes ran after a failover and neither reported. A node that starts later does not detect the
  /// failover.
  private(set) var unreportedSplitCount = 0
  /// Jobs that run at most once.
  let atMostOnce: Set<String>
  /// Jobs that are claimed by windows.
  let counted: Set<String>
  /// Epochs that started runs in windows.
  private var windowEpochs: [EntryKey: String] = [:]
  /// Jobs with which their last owner goes on while the store does not answer.
  let ownerRuns: Set<String>
  /// Number of starts without a claim.
  private(set) var unclaimedCount = 0

  init(atMostOnce: Set<String>, ownerRuns: Set<String> = [], counted: Set<String> = []) {
    (self.atMostOnce, self.ownerRuns, self.counted) = (atMostOnce, ownerRuns, counted)
  }

  mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds, violations.count < 5 { violations.append(sentence()) }
  }

  /// Records a call of a plugin. `isInLease` follows the store's own record of the lease, and `isOwner` its record of the job.
  /// `isAlone` is true if the node reports that it goes on without the store.
  mutating func start(_ start: Start, isInLease: Bool, isOwner: Bool, isAlone: Bool = false) -> Int {
    if isAlone, ownerRuns.contains(start.key.job.text) {
      unclaimedCount += 1
      starts.append(start)
      return starts.count - 1
    }
    require(isInLease || hasLostWrites, "\(start) is outside its lease")
    require(isOwner || hasLostWrites, "\(start) is of a node that does not own the job")
    require(start.token != nil, "\(start) has no token")
    if let token = start.token, !hasLostWrites {
      let last = lastStart[start.key.job.text]
      require(
        last.map {
          token > $0.token
            || token == $0.token && (start.key == $0.key || counted.contains(start.key.job.text))
        } ?? true,
        "\(start) has a token that is not higher than the last")
      lastStart[start.key.job.text] = (start.key, token)
    }
    starts.append(start)
    return starts.count - 1
  }

  /// Records a start of a counted job by an epoch; `isClaimed` if this epoch has the window in the store's own record.
  mutating func startInWindow(_ key: EntryKey, of epoch: String, isClaimed: Bool) {
    require(isClaimed || hasLostWrites, "\(key) is outside of a claimed window")
    let former = windowEpochs[key]
    require(former == nil || former == epoch || hasLostWrites, "\(key) is a window of another node")
    windowEpochs[key] = epoch
  }

  /// Records that a run ended while its node was alive.
  mutating func complete(_ start: Int) { starts[start].isComplete = true }

  /// Records that a node reports an entry as granted to two nodes.
  mutating func noteSplit(_ key: EntryKey) { splits.insert(key) }

  /// Whether an entry was taken over from an owner that did not answer and settled the entry later. In that case the outcomes
  /// of both owners stay.
  private func wasTakenOver(_ key: EntryKey, _ store: SimulatedStore) -> Bool {
    let records = store.records[key] ?? []
    let hasRun = records.filter { $0.startedAt != nil }
    return Set(records.map(\.epoch)).count == records.count
      && (!atMostOnce.contains(key.job.text) || hasRun.count <= 1)
  }

  /// Whether a record that was settled by `time` covers the entry without a start, or the entry is from before the first
  /// watermark that a promoted standby received. `time` counts from the beginning of the world, in nanoseconds.
  private func isDropped(_ key: EntryKey, _ store: SimulatedStore, before time: Int64 = .max) -> Bool {
    let records = store.records.values.joined().filter {
      $0.key.job.text == key.job.text && $0.firstNominal <= key.nanoseconds
    }
    let begin = store.jobs[key.job.text]?.begin ?? .max
    return hasLostWrites && key.nanoseconds <= begin
      || records.contains { record in
        record.startedAt == nil && record.endedAt - ClusterWorld.begin <= time
          && key.nanoseconds <= record.key.nanoseconds
      }
  }

  /// Judges the end: all nodes have been healthy for long enough, and each entry up to `end` must have one outcome.
  mutating func judgeEnd(_ store: SimulatedStore, interval: [String: Int64], until end: Int64) {
    for key in splits.sorted() {
      require(
        hasLostWrites || wasTakenOver(key, store) || ownerRuns.contains(key.job.text),
        "\(key) is reported as split, and the store has lost nothing")
    }
    let byKey = Dictionary(grouping: starts, by: \.key)
    for (key, starts) in byKey.sorted(by: { $0.key < $1.key }) {
      if key.nanoseconds > end { continue }
      if atMostOnce.contains(key.job.text) {
        let isDouble = starts.count > 1
        if isDouble, hasLostWrites, !splits.contains(key) { unreportedSplitCount += 1 }
        require(!isDouble || hasLostWrites, "\(key) was started \(starts.count) times")
      } else {
        // A node that lacks the start, because the claim was lost or never made, may drop the entry by the job's policies.
        let isUnknown = hasLostWrites || ownerRuns.contains(key.job.text)
        // A node that lost the job may also have dropped the entry earlier, and stored that later.
        let first = starts.map(\.at).min() ?? .min
        let isDropped = isDropped(key, store, before: isUnknown ? .max : first)
        require(
          isDropped || starts.contains(where: \.isComplete), "\(key) was started and never completed")
      }
    }
    for (key, claim) in store.claims.sorted(by: { $0.key < $1.key })
    where counted.contains(key.job.text) && key.nanoseconds <= end {
      require(claim.hasOutcome || hasLostWrites, "the window \(key) has no record")
    }
    for (job, interval) in interval.sorted(by: { $0.key < $1.key }) {
      let records = store.records.values.flatMap(\.self).filter {
        $0.key.job.text == job && $0.cause != "trigger"
      }
      guard var nominal = records.map(\.firstNominal).min() else {
        require(false, "\(job) has no record")
        continue
      }
      while nominal <= end {
        let covering = records.filter {
          $0.firstNominal <= nominal && nominal <= $0.key.nanoseconds
            && ($0.firstNominal...$0.key.nanoseconds).contains(nominal)
        }
        let key = EntryKey(job: name(job), nanoseconds: nominal)
        // Each node stores its own outcome. A run that ends after the record of its window counts for a later one.
        let isDouble =
          counted.contains(job)
          || ownerRuns.contains(job) && Set(covering.map(\.epoch)).count == covering.count
        // A standby may lack outcomes that a dead node cannot send again.
        require(!covering.isEmpty || hasLostWrites, "\(key) has no outcome")
        require(
          covering.count < 2 || isDouble || splits.contains(key) || hasLostWrites || wasTakenOver(key, store),
          "\(key) has \(covering.count) outcomes: \(covering.map { "\($0.outcome) by \($0.node)" })")
        nominal += interval
      }
    }
  }
}
