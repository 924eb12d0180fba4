import ArgumentParser
import TimelineControl
import TimelineCore

/// `timelinectl cluster`: this node and the other nodes.
struct ClusterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cluster",
    abstract: "Show the cluster that the daemon is a node of, and change it.",
    discussion: """
      The nodes of a cluster share jobs with `run-on = "one"`: each of their entries is run by one of them. [cluster] in the \
      configuration makes a daemon a node.
      """,
    subcommands: [Status.self, Initialize.self, Activate.self, Leave.self], defaultSubcommand: Status.self)

  @ParentCommand var root: Timelinectl

  /// `timelinectl cluster status`, and `timelinectl cluster` alone.
  struct Status: ClusterVerb {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show nodes, leases, clocks, jobs and the store.",
      discussion: """
        Exits 0 when this node is a member and the store can be used, 1 when not.
        """)

    @ParentCommand var parent: ClusterCommand
    @OptionGroup var daemon: DaemonConnection
    @OptionGroup var output: OutputOptions

    func run() throws {
      let state = try call(Control.Cluster()).state
      try show(state)
      if !state.isMember || state.storeFault != nil { throw ExitCode(1) }
    }
  }

  /// `timelinectl cluster activate`: makes the cluster run jobs as this node defines them.
  struct Activate: ClusterVerb {
    static let configuration = CommandConfiguration(
      commandName: "activate",
      abstract: "Have jobs run as this node defines them, wherever the files of the nodes differ.",
      discussion: """
        A job that the nodes define differently runs by the definition that was activated last, on nodes that have it. When all \
        nodes agree it is activated by itself.
        """)

    @ParentCommand var parent: ClusterCommand
    @OptionGroup var daemon: DaemonConnection
    @OptionGroup var output: OutputOptions

    @Argument(help: "The jobs. Default: all that run by another definition.", completion: .jobs)
    var jobs: [String] = []

    func run() throws {
      try show(try call(Control.ActivateJobs(jobs: jobs)).state)
    }
  }

  /// `timelinectl cluster leave`: releases the node's jobs and makes it leave the cluster.
  struct Leave: ClusterVerb {
    static let configuration = CommandConfiguration(
      commandName: "leave",
      abstract: "Give the cluster's jobs up to other nodes, until the daemon is started again.",
      discussion: "Active runs go on to their end. A stop of the daemon leaves the cluster by itself.")

    @ParentCommand var parent: ClusterCommand
    @OptionGroup var daemon: DaemonConnection
    @OptionGroup var output: OutputOptions

    func run() throws {
      try show(try call(Control.LeaveCluster()).state)
    }
  }
}

/// A verb that shows the state of the cluster.
protocol ClusterVerb: DaemonVerb {
  var parent: ClusterCommand { get }
  var output: OutputOptions { get }
}

extension ClusterVerb {
  var root: Timelinectl { parent.root }

  /// Prints the state of the cluster.
  func show(_ state: ClusterState) throws {
    if output.json { return try Output.print(jsonLine(state)) }
    try Output.print(ClusterText(state: state).text)
  }
}
