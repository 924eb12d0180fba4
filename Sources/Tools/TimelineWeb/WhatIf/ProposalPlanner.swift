import TimelineClient
import TimelineControl
import TimelineCore
import TimelineRehearsal
import TimelineSystem

/// Compares proposed configurations with the daemon's. Nothing is sent to the daemon.
struct ProposalPlanner: Sendable {
  private let page: DaemonPage
  private let clock: @Sendable () -> MonotonicInstant

  init(_ page: DaemonPage, clock: @escaping @Sendable () -> MonotonicInstant) {
    self.page = page
    self.clock = clock
  }

  /// The effects of a proposal, or its errors, as JSON text.
  func plan(_ query: PlanQuery) throws(FailedCall) -> String {
    let (status, _, future) = try page.mirror.present()
    let from = status.now.instant
    let lacking = FailedCall(
      message: "no plan: the daemon's configuration cannot be read: \(future?.source ?? "")", isRefusal: true)
    guard let future, let old = future.plan else { throw lacking }
    let proposal: ProposedConfiguration
    do throws(ProposedConfiguration.Refusal) {
      proposal = try ProposedConfiguration(query.text, inPlaceOf: future, now: from)
    } catch .remarks(let remarks) {
      return PlanText.refusal(remarks)
    } catch {
      throw lacking
    }
    let length = query.length ?? DaemonPage.length(showing: future)
    let limit = clock() + WebLimits.planTimeMax
    let picture = PlanPicture(
      from: old, to: proposal, from: from, until: min(from, .max - length) + length,
      columns: query.columns
    ) { clock() >= limit }
    return PlanText(picture: picture, proposal: proposal, machine: page.machine).json
  }
}
