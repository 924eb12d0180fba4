import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

@testable import TimelineEngineSimulation

/// Each fault is injected from outside of the product, and the watcher must report the matching violation.
@Suite struct `Planted faults are caught` {
  /// Whether one of the seeds from 1 to `seeds` makes the watcher report a violation with these words. With `whereJobsMove`, seeds in
  /// which no job changes its owner are skipped, because they cannot show the fault.
  private func isCaught(
    saying words: String, seeds: UInt64 = 300, whereJobsMove: Bool = false, _ fault: EngineSimulation.Fault
  ) -> Bool {
    (1...seeds).contains { seed in
      var ordeal = EngineSimulation(seed: seed, fault: fault)
      if whereJobsMove, !ordeal.mayMove { return false }
      ordeal.endure()
      return ordeal.invariants.violations.contains { $0.contains(words) }
    }
  }

  private func doctored(_ doctor: @escaping (inout [EngineEffect]) -> Void) -> EngineSimulation.Fault {
    EngineSimulation.Fault(doctor: doctor)
  }

  /// A job whose entries all come a nanosecond after (or before) those that were configured.
  private func shifted(_ job: JobDefinition, by length: ElapsedTime) -> JobDefinition {
    guard case .periodic(let schedule) = job.schedule else { return job }
    var job = job
    job.schedule = every(schedule.interval, from: schedule.start + length)
    return job
  }

  @Test func `entries a tick late`() {
    let fault = EngineSimulation.Fault(disguise: { shifted($0, by: .nanoseconds(1)) })
    #expect(isCaught(saying: "is no entry of its job", fault))
  }

  @Test func `entries a tick early`() {
    let fault = EngineSimulation.Fault(disguise: { shifted($0, by: .nanoseconds(-1)) })
    #expect(isCaught(saying: "is no entry of its job", fault))
  }

  @Test func `a jitter that is not kept`() {
    let fault = EngineSimulation.Fault(disguise: { job in
      var job = job
      job.timing = ScheduleTiming()
      return job
    })
    #expect(isCaught(saying: "started before its jitter was over", fault))
  }

  @Test func `a start before its instant`() {
    let fault = doctored { effects in
      effects = effects.map { effect in
        guard case .start(var attempt) = effect, attempt.number == 1 else { return effect }
        attempt.entry.nominal = attempt.startedAt + .nanoseconds(1)
        return .start(attempt)
      }
    }
    #expect(isCaught(saying: "started before its instant", fault))
  }

  @Test func `an entry of no animation that is left out by the mode`() {
    let fault = doctored { effects in
      effects = effects.map { effect in
        guard case .settle(var record) = effect, record.outcome == .missed else { return effect }
        record.outcome = .lowFrequency
        return .settle(record)
      }
    }
    #expect(isCaught(saying: "of no loop was left out by the mode", fault))
  }

  @Test func `an animation that goes on in low-frequency mode`() {
    let fault = doctored { effects in
      for record in effects.settled where record.outcome == .lowFrequency {
        let run = RunID(number: 20_000)
        effects.append(
          .start(Attempt(run: run, entry: record.entry, cause: .schedule, startedAt: record.endedAt)))
      }
    }
    #expect(isCaught(saying: "started in low-frequency mode", fault))
  }

  @Test func `an entry started twice`() {
    let fault = doctored { effects in
      guard var again = effects.starts.last else { return }
      again.run = RunID(number: again.run.number + 10_000)
      again.number = 1
      effects.append(.start(again))
    }
    #expect(isCaught(saying: "started twice", fault))
  }

  @Test func `an entry started again in the next life`() {
    // A run that died with its daemon is run again although it is at-most-once.
    let fault = EngineSimulation.Fault(disguise: { job in
      var job = job
      job.policies.delivery = .atLeastOnce
      return job
    })
    #expect(isCaught(saying: "begins with attempt 2", fault))
  }

  @Test func `a catch-up that is forgotten when the clock is set back`() {
    let fault = EngineSimulation.Fault(decided: { decided, _ in decided = [:] })
    #expect(isCaught(saying: "was settled twice", seeds: 3_000, fault))
  }

  @Test func `a start that is counted and whose note is lost with the daemon`() {
    #expect(isCaught(saying: "started in two lives, at most once", seeds: 3_000, .forgottenStart))
  }

  @Test func `a catch-up that is lost`() {
    let fault = EngineSimulation.Fault(memory: { watermarks, _ in
      watermarks = watermarks.mapValues { $0 + .minutes(2) }
    })
    #expect(isCaught(saying: "was lost", fault))
  }

  @Test func `a trigger or reaction that waited and is forgotten`() {
    let fault = EngineSimulation.Fault(memory: { _, open in
      open.removeAll { $0.hasWaited && !$0.cause.isOfSchedule }
    })
    #expect(isCaught(saying: "was kept and is lost", fault))
  }

  @Test func `a pause between two attempts that is forgotten`() {
    let fault = EngineSimulation.Fault(memory: { _, open in
      for place in open.indices { open[place].retryAt = nil }
    })
    #expect(isCaught(saying: "was between two attempts, and its end is not known", fault))
  }

  @Test func `a leak in the count of a group`() {
    // As if an ended run were still counted: each limit is one lower.
    let fault = EngineSimulation.Fault(limits: { limits in limits.mapValues { max(1, $0 - 1) } })
    #expect(isCaught(saying: "waits although there is room", fault))
  }

  @Test func `a group that admits more than its limit`() {
    let fault = EngineSimulation.Fault(limits: { limits in limits.mapValues { $0 + 1 } })
    #expect(isCaught(saying: "was full", fault))
  }

  @Test func `more runs than an overlap policy allows`() {
    let fault = EngineSimulation.Fault(disguise: { job in
      var job = job
      job.policies.concurrency += 1
      return job
    })
    #expect(isCaught(saying: "overlaps as many runs", fault))
  }

  @Test func `a job that starves`() {
    // The first job is always served before the others: its wait counts as hours.
    let fault = EngineSimulation.Fault(disguise: { job in
      var job = job
      if job.name == name("job0") { job.policies.priority += 1_000 }
      return job
    })
    #expect(isCaught(saying: "went before", fault))
  }

  @Test func `an outcome that is lost`() {
    let fault = doctored { effects in
      effects.removeAll { if case .settle(let record) = $0 { record.run == nil } else { false } }
    }
    #expect(isCaught(saying: "was lost", fault))
  }

  @Test func `a start that was never made`() {
    let fault = doctored { effects in
      effects = effects.map { effect in
        guard case .settle(var record) = effect, record.run != nil else { return effect }
        record.startedAt = record.startedAt ?? record.endedAt
        return .settle(record)
      }
    }
    #expect(isCaught(saying: "has a start that was not made", fault))
  }

  @Test func `a timeout of a run that only waited`() {
    let fault = doctored { effects in
      effects = effects.map { effect in
        guard case .settle(var record) = effect, record.outcome == .limited, record.run != nil else {
          return effect
        }
        record.outcome = .timedOut
        return .settle(record)
      }
    }
    #expect(isCaught(saying: "ran?", fault))
  }

  @Test func `a run whose end is never reported`() {
    let fault = doctored { effects in
      effects.removeAll { if case .settle(let record) = $0 { record.run != nil } else { false } }
    }
    #expect(isCaught(saying: "the engine counts other runs", fault))
  }

  @Test func `a wake-up for the wrong instant`() {
    let fault = doctored { effects in
      effects = effects.map {
        if case .arm(let deadline?) = $0 { .arm(deadline + .nanoseconds(1)) } else { $0 }
      }
    }
    #expect(isCaught(saying: "armed for another instant", fault))
  }

  @Test func `a start that ought to have waited for its claim`() {
    let fault = doctored { effects in
      for key in effects.claims {
        effects.append(
          .start(
            Attempt(run: RunID(number: 9_999), entry: key, cause: .schedule, startedAt: key.nominal)))
      }
    }
    #expect(isCaught(saying: "started without its claim", fault))
  }

  @Test func `a reaction that runs twice`() {
    let fault = doctored { effects in
      for var again in effects.starts where again.cause == .reaction && again.number == 1 {
        again.run = RunID(number: again.run.number + 10_000)
        again.entry.nominal = again.entry.nominal + .nanoseconds(7)
        effects.append(.start(again))
      }
    }
    #expect(isCaught(saying: "tells what nobody was to hear", fault))
  }

  @Test func `a job that goes on after it was handed over`() {
    let fault = EngineSimulation.Fault(handedOver: { $0 = [] })
    #expect(isCaught(saying: "started after its job was handed over", fault))
  }

  @Test func `a watermark that is not taken over`() {
    let fault = EngineSimulation.Fault(taken: { taken in
      for place in taken.indices { taken[place].watermark = nil }
    })
    #expect(isCaught(saying: "was lost", fault))
  }

  @Test func `incidents that are not taken over`() {
    let fault = EngineSimulation.Fault(taken: { taken in
      for place in taken.indices { taken[place].incidents = [] }
    })
    #expect(isCaught(saying: "begins an incident anew", seeds: 3_000, whereJobsMove: true, fault))
  }

  @Test func `claims of a former owner that are forgotten`() {
    let fault = EngineSimulation.Fault(taken: { taken in
      for place in taken.indices { taken[place].open.removeAll { $0.node == nil && $0.attempts == 0 } }
    })
    #expect(isCaught(saying: "was lost", seeds: 3_000, whereJobsMove: true, fault))
  }

  @Test func `an entry that another node may have run counts as not started`() {
    #expect(
      isCaught(
        saying: "although another node may have run it", seeds: 12_000, whereJobsMove: true,
        .takenForUnstarted))
  }

  @Test func `a token that does not reach the plugin`() {
    #expect(isCaught(saying: "started with another token", .lostToken))
  }
}
