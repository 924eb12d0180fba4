import TimelineControl
import TimelineCore

/// The state of a cluster as text for people.
struct ClusterText {
  let state: ClusterState

  var text: String { [Words.lines(rows), nodes, jobs].filter { !$0.isEmpty }.joined(separator: "\n") }

  private var rows: [(String, String)] {
    var rows = [
      ("cluster", state.cluster),
      ("node", "\(state.node), \(state.isMember ? "a member" : "not a member")"),
      ("lease", lease),
    ]
    if let fault = state.joinFault { rows.append(("waits", fault)) }
    if let offset = state.clockOffsetNanoseconds {
      rows.append(("clock", "\(Words.offset(offset)) against the store"))
    }
    if let store = state.store {
      rows.append(("store", store.server))
      rows += store.standbys.map { ("standby", $0) }
      if let warning = store.warning { rows.append(("warning", warning)) }
    }
    if let fault = state.storeFault { rows.append(("store", "cannot be used: \(fault)")) }
    return rows
  }

  private var lease: String {
    state.trustNanoseconds.map { "lasts for \(Words.length($0)) at least, and is renewed before" }
      ?? "none: no job of the cluster is started here"
  }

  private var nodes: String {
    var table = TextTable([
      ("NODE", .left), ("STATE", .left), ("LEASE", .right), ("CLOCK", .right), ("JOBS", .right),
      ("LABELS", .left), ("VERSION", .left),
    ])
    for node in state.nodes {
      let labels = node.labels.sorted(on: \.key).map { "\($0.key)=\($0.value)" }
      table.add([
        node.node, node.state, node.state == "member" ? Words.length(node.leaseNanoseconds) : "-",
        node.clockOffsetNanoseconds.map(Words.offset) ?? "-", "\(node.jobCount)",
        labels.isEmpty ? "-" : labels.joined(separator: " "), node.version.isEmpty ? "-" : node.version,
      ])
    }
    return state.nodes.isEmpty ? "" : table.text
  }

  private var jobs: String {
    var table = TextTable([("JOB", .left), ("RUNS ON", .left), ("DEFINITION", .left)])
    for job in state.jobs {
      table.add([
        job.job, job.node.map { $0 + (job.isHere ? " (here)" : "") } ?? "no node", definition(of: job),
      ])
    }
    return state.jobs.isEmpty ? "" : table.text
  }

  private func definition(of job: ClusterJobReport) -> String {
    if let node = job.formerNode { return "on no node; \(node), which had it, is gone" }
    if !job.divergentNodes.isEmpty { return "another on \(job.divergentNodes.joined(separator: ", "))" }
    return job.isActiveHere ? "the same on all nodes" : "not the active one here"
  }
}
