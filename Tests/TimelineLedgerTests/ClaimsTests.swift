import Testing
import TimelineCore
import TimelineEngine
import TimelineTestSupport

@testable import TimelineLedger

@Suite struct `Claims in memory` {
  /// Reference model: a list of all claims with their jobs, which is searched completely.
  private struct Slow {
    var claims: [(job: Int, claim: Claim, isPromised: Bool)] = []

    func text(_ jobs: JobCatalog) -> Set<String> {
      Set(
        claims.filter(\.claim.isFiled).map { entry in
          var line = ""
          entry.claim.append(to: &line, jobs.name(entry.job))
          return line
        })
    }

    mutating func change(_ isMeant: (Int, Claim) -> Bool, _ body: (inout Claim) -> Void) -> Bool {
      var hasAny = false
      for index in claims.indices where isMeant(claims[index].job, claims[index].claim) {
        body(&claims[index].claim)
        hasAny = true
      }
      return hasAny
    }
  }

  @Test(arguments: 0..<20)
  func `claims have the same contents as a plain list after random operations`(group: UInt64) throws {
    let seed = group
    var random = SeededGenerator(seed: seed)
    var (claims, slow, jobs) = (Claims(), Slow(), JobCatalog())
    for number in 0..<5 { #expect(jobs.number(of: try #require(JobName("job-\(number)"))) == number) }
    var now = WallInstant.epoch
    for _ in 0..<2_000 {
      let job = Int.random(in: 0..<5, using: &random)
      let nominal = now + .milliseconds(Int64.random(in: -3_000...3_000, using: &random) / 100 * 100)
      switch Int.random(in: 0..<13, using: &random) {
      case 0..<5:
        let (claim, isPromised) = (Claim(nominal: nominal, claimedAt: now, boot: 7), job < 3)
        claims.add(claim, of: job, isPromised: isPromised)
        slow.claims.removeAll { $0.job == job && $0.claim.nominal == nominal }
        slow.claims.append((job, claim, isPromised))
      case 5..<7:
        let removed = claims.remove(nominal, of: job)
        let known = slow.claims.first { $0.job == job && $0.claim.nominal == nominal }?.claim
        #expect(removed?.wait == known?.wait && removed?.claimedAt == known?.claimedAt)
        slow.claims.removeAll { $0.job == job && $0.claim.nominal == nominal }
      case 7:
        claims.withdraw(nominal, of: job)
        slow.claims.removeAll { $0.job == job && $0.claim.nominal == nominal }
      case 8:
        claims.remove(of: job, from: nominal - .seconds(1), through: nominal)
        slow.claims.removeAll {
          $0.job == job && $0.claim.nominal >= nominal - .seconds(1) && $0.claim.nominal <= nominal
        }
      case 11:
        let held: Set<WallInstant> = [nominal - .milliseconds(200), nominal]
        claims.withdraw(of: job, through: nominal, except: held)
        slow.claims.removeAll {
          $0.job == job && $0.claim.nominal <= nominal && !held.contains($0.claim.nominal)
        }
      case 9:
        claims.pass(job, nominal)
        _ = slow.change({ $0 == job && $1.nominal <= nominal }) { $0.isFiled = true }
      case 10:
        now = now + .milliseconds(100)
        let horizon = now + Claims.lead * 2
        let hasAny = slow.change({ !$1.isStartable && $1.nominal <= horizon }) {
          ($0.wait, $0.isFiled) = (7, true)
        }
        #expect(claims.makeStartable(at: now, before: 7) == hasAny)
      default:
        claims.didWrite()
      }
      let waiting = slow.claims.filter { $0.isPromised && !$0.claim.isStartable }.map(\.claim.nominal).min()
      if let waiting { #expect(try #require(claims.next) <= waiting - Claims.lead, "never too late") }
      let lines = Set(claims.text(jobs).split(separator: "\n").map { "\($0)\n" })
      #expect(lines == slow.text(jobs), "seed \(seed)")
    }
  }

  @Test func `claims are read back as they were written, and invalid lines are skipped`() throws {
    var jobs = JobCatalog()
    let job = try #require(JobName("back.up-2"))
    var claim = Claim(nominal: .epoch + .nanoseconds(-1), claimedAt: .epoch + .days(20_000), boot: nil)
    (claim.wait, claim.isFiled) = (3, true)
    var claims = Claims()
    claims.add(claim, of: jobs.number(of: job), isPromised: true)
    let line = claims.text(jobs)
    #expect(line == "back.up-2 -1 1728000000000000000 0 1\n")
    let read = try #require(Claim.parse(line.dropLast(), before: 4))
    #expect(read.job == job && read.claim.nominal == claim.nominal && read.claim.claimedAt == claim.claimedAt)
    #expect(read.claim.boot == 0 && read.claim.wait == 4 && read.claim.isFiled)
    for wrong in ["", "backup", "backup 1 2 3", "backup 1 2 x 1", "-backup 1 2 3 1", "backup 1 2 3 1 1"] {
      #expect(Claim.parse(wrong[...], before: 4) == nil)
    }
  }
}
