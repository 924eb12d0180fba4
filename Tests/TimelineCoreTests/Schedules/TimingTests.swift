import Testing
import TimelineCore

@Suite struct `Jitter of entries` {
  @Test func `jitter is always the same, within its bound and less than the gap to the next entry`() throws {
    let job = try #require(JobName("backup"))
    let other = try #require(JobName("backup2"))
    var seen = Set<ElapsedTime>()
    for hour in 0..<1_000 {
      let nominal = WallInstant.epoch + .hours(Int64(hour))
      let offset = Jitter.offset(
        job: job, seed: 7, nominal: nominal, bound: .minutes(10), gapToNext: .hours(1))
      #expect(.zero <= offset && offset <= .minutes(10))
      #expect(
        offset == Jitter.offset(job: job, seed: 7, nominal: nominal, bound: .minutes(10), gapToNext: nil))
      let capped = Jitter.offset(
        job: job, seed: 7, nominal: nominal, bound: .minutes(10), gapToNext: .nanoseconds(5))
      #expect(capped < .nanoseconds(5))
      seen.insert(offset)
      seen.insert(Jitter.offset(job: other, seed: 7, nominal: nominal, bound: .minutes(10), gapToNext: nil))
      seen.insert(Jitter.offset(job: job, seed: 8, nominal: nominal, bound: .minutes(10), gapToNext: nil))
    }
    #expect(seen.count > 2_990)
    let mean = seen.reduce(0) { $0 + $1.nanoseconds / Int64(seen.count) }
    #expect((280_000_000_000...320_000_000_000).contains(mean))
  }

  @Test func `a fixed offset is one length for all entries of a job and machine`() throws {
    let job = try #require(JobName("backup"))
    let other = try #require(JobName("backup2"))
    let timing = ScheduleTiming(jitter: .minutes(10), hasFixedOffset: true)
    func offsets(_ job: JobName, _ seed: UInt64) -> Set<ElapsedTime> {
      Set(
        (0..<100).map { (hour: Int64) in
          let nominal = WallInstant.epoch + .hours(hour)
          return timing.start(of: job, seed: seed, nominal: nominal, next: nominal + .hours(1)) - nominal
        })
    }
    let lengths = [offsets(job, 7), offsets(other, 7), offsets(job, 8)]
    #expect(lengths.allSatisfy { $0.count == 1 } && Set(lengths).count == 3)
    #expect(lengths.joined().allSatisfy { .zero <= $0 && $0 <= .minutes(10) })
    // An entry that comes sooner than that is put off less, and the others are not.
    let length = try #require(offsets(job, 7).first)
    let soon = timing.start(of: job, seed: 7, nominal: .epoch, next: .epoch + .nanoseconds(5))
    #expect(soon == .epoch + .nanoseconds(4) && length > .nanoseconds(4))
    let spread = (0..<1_000).compactMap { JobName("job\($0)") }.flatMap { offsets($0, 7) }
    let mean = spread.reduce(0) { $0 + $1.nanoseconds / 1_000 }
    #expect((270_000_000_000...330_000_000_000).contains(mean))
  }

  @Test func `without a bound or a gap there is no delay`() throws {
    let job = try #require(JobName("backup"))
    let bounds: [(bound: ElapsedTime, gap: ElapsedTime?)] = [
      (.zero, nil), (.seconds(-1), nil), (.seconds(1), .zero), (.seconds(1), .nanoseconds(1)),
    ]
    for row in bounds {
      #expect(
        Jitter.offset(job: job, seed: 1, nominal: .epoch, bound: row.bound, gapToNext: row.gap) == .zero)
    }
    #expect(Jitter.offset(job: job, seed: 1, nominal: .max, bound: .max, gapToNext: nil) >= .zero)
  }

  @Test func `a start is delayed to a multiple of the accuracy that is before the next entry`()
    throws
  {
    let job = try #require(JobName("backup"))
    func t(_ milliseconds: Int64) -> WallInstant { .epoch + .milliseconds(milliseconds) }
    // Nominal instant, next entry, accuracy, start; in milliseconds.
    let rows: [(Int64, Int64?, Int64, Int64)] = [
      (1_000, nil, 0, 1_000), (1_000, nil, 1_000, 1_000), (1_001, nil, 1_000, 2_000),
      (1_999, 2_001, 1_000, 2_000), (1_999, 2_000, 1_000, 1_999), (-1_500, nil, 1_000, -1_000),
      (-1_000, nil, 1_000, -1_000), (59_000, 119_000, 60_000, 60_000), (61_000, 119_000, 60_000, 61_000),
    ]
    for (nominal, next, accuracy, start) in rows {
      let timing = ScheduleTiming(accuracy: .milliseconds(accuracy))
      let found = timing.start(of: job, seed: 1, nominal: t(nominal), next: next.map(t))
      #expect(found == t(start), "\(nominal) \(accuracy)")
    }
    #expect(ScheduleTiming().isExact && !ScheduleTiming(accuracy: .seconds(1)).isExact)
    // Every start lies between the earliest and the latest that there can be, and these are not too far.
    for accuracy in [0, 7, 60, 3_600] as [Int64] {
      let timing = ScheduleTiming(jitter: .seconds(200), accuracy: .seconds(accuracy))
      for gap in [1, 100, 1_000] as [Int64] {
        let (nominal, next) = (t(61_000), t(61_000 + gap * 1_000))
        let starts = (0..<2_000).map { timing.start(of: job, seed: $0, nominal: nominal, next: next) }
        let range = timing.starts(of: nominal, next: next)
        #expect(starts.allSatisfy(range.contains), "\(accuracy) \(gap)")
        let found = try #require(starts.max()) - #require(starts.min())
        #expect(range.upperBound - range.lowerBound - found < .seconds(2), "\(accuracy) \(gap)")
      }
    }
    // Both together stay before the next entry and at or after the nominal instant.
    let timing = ScheduleTiming(jitter: .seconds(100), accuracy: .seconds(7))
    for second in Int64(0)..<1_000 {
      let (nominal, next) = (t(second * 10_000), t(second * 10_000 + 10_000))
      let start = timing.start(of: job, seed: 1, nominal: nominal, next: next)
      #expect(start >= nominal && start < next)
    }
    #expect(timing.start(of: job, seed: 1, nominal: .max, next: nil) == .max)
  }
}
