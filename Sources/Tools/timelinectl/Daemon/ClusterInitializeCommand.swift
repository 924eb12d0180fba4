import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineStoreWire
import TimelineSystem

extension ClusterCommand {
  /// `timelinectl cluster init`: makes the tables of the store.
  struct Initialize: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Make the tables or keys of the cluster in its store, or bring older ones up to date.",
      discussion: """
        Needs no daemon. In PostgreSQL the connection string may be that of another user than the daemons', who owns the tables and \
        grants them to these: see share/doc/timelined/cluster.md. Made again it changes nothing. Exits 0 when they are there, 1 when not.
        """)

    @OptionGroup var files: ConfigurationOptions

    @Option(
      help: ArgumentHelp(
        "File with the secrets of the store. Default: the credential that the configuration names, if it is a file.",
        valueName: "file"), completion: .file())
    var credential: String?

    func run() throws {
      guard let cluster = try files.load().daemon.cluster else {
        throw fail("error: \(files.config): no cluster: describe it under the header [cluster]")
      }
      let file = try credential ?? fileOfCredential(cluster)
      let arguments = cluster.store.adapterArguments(credential: file.map(CurrentProcess.absolutePath))
      let caller = StoreCaller(cluster: cluster.name)
      do throws(StoreFailure) {
        let adapter = SingleStoreCall(executable: Installation().storeAdapterPath, arguments: arguments)
        _ = try adapter.make(.initialize, by: caller)
      } catch {
        throw fail("error: cluster \(cluster.name): the store cannot be prepared: \(error.message)")
      }
      try Output.print("cluster \(cluster.name): the store is ready\n")
    }

    private func fileOfCredential(_ cluster: ClusterConfiguration) throws -> String? {
      switch cluster.store.credential {
      case nil: return nil
      case .file(let path): return path
      case .named(let name):
        throw fail(
          "error: credential \(name): the unit's credentials cannot be read here: name the file by --credential"
        )
      }
    }
  }
}

/// One call of the store, by an adapter process that is started for this call.
struct SingleStoreCall {
  let executable: String
  let arguments: [String]

  /// Timeout of the call: creating tables takes a moment, unless another session has locked them.
  private static let limit = ElapsedTime.seconds(30)

  /// Makes a call, and returns the reply.
  func make(_ call: StoreCall, by caller: StoreCaller) throws(StoreFailure) -> StoreReply {
    let response: [UInt8]?
    do throws(SystemError) {
      response = try exchange(StoreRequest(id: 1, caller, call).message)
    } catch {
      throw StoreFailure(.unavailable, "\(executable): \(error)")
    }
    guard let response else {
      throw StoreFailure(.undecided, "\(executable): it has not answered within \(Self.limit), or ended")
    }
    return try StoreResponse(message: response).result.get()
  }

  /// Sends a message and returns the answer; `nil` on timeout, or if the adapter ended.
  private func exchange(_ message: [UInt8]) throws(SystemError) -> [UInt8]? {
    let (near, far) = try SeqPacket.pair(messageBytesMax: StoreWireLimits.messageMax)
    let child = try ChildProcess.spawn(
      executable: executable, arguments: arguments, name: "timeline-store",
      descriptors: [ChildProcess.Passing(far.rawValue, as: 3), ChildProcess.Passing(2, as: 2)])
    far.close()
    defer {
      near.hangUp()
      child.killTree()
      _ = child.wait()
    }
    _ = try near.send(message)
    let loop = try EventLoop()
    var received: [UInt8]?
    var isOver = false
    var failure: SystemError?
    let watch = try loop.watch(near.rawValue, for: .reading) { _ in
      do throws(SystemError) {
        switch try near.receive() {
        case .message(let bytes): (received, isOver) = (bytes, true)
        case .wouldBlock: break
        case .truncated, .endOfFile: isOver = true
        }
      } catch {
        (failure, isOver) = (error, true)
      }
    }
    defer { watch.cancel() }
    _ = loop.run(atMost: Self.limit) { isOver }
    if let failure { throw failure }
    return received
  }
}
