package import TimelineStoreWire

/// Facts about the tables that every call needs, which each transaction reads first, and the caller.
package struct StorePlace: Sendable, Equatable {
  /// Number of the cluster, as the text of an SQL parameter.
  package var cluster: String
  /// High bits of new tokens and of the view's version, as the text of an SQL parameter.
  package var tokenBase: String
  /// Epoch of the caller, as the text of an SQL parameter; `nil` if the caller is no node.
  package var epoch: String?

  package init(cluster: String, tokenBase: String, epoch: String? = nil) {
    (self.cluster, self.tokenBase, self.epoch) = (cluster, tokenBase, epoch)
  }

  /// Number of low bits of a token, which count claims: enough for a million claims per second for 12 days, or a thousand for
  /// 34 years. The bits above are the timeline.
  static let sequenceBits = 40

  /// Returns the statement that reads the place. The tables must have ``StoreTables/version``.
  package static func statement(cluster: String) -> StoreStatement {
    StoreStatement(
      """
      select json_build_object('cluster', c.id, 'isMoved', m.system <> s.system_identifier::text,
        'era', m.token_base + \(StoreSQL.timeline))
      from timelined.meta m cross join pg_catalog.pg_control_system() s
      left join timelined.cluster c on c.name = $1::text
      """, [cluster])
  }

  /// Reads the row of ``statement(cluster:)``, for a caller.
  package init(row: String?, _ caller: StoreCaller) throws(StoreFailure) {
    let row: Row = try StoreJSON.decoded(row)
    guard let number = row.cluster else {
      throw StoreFailure(
        .uninitialized,
        "postgresql: there is no cluster \"\(caller.cluster)\": run `timelinectl cluster init`")
    }
    guard !row.isMoved else {
      throw StoreFailure(
        .uninitialized,
        "postgresql: the tables were moved to another server: run `timelinectl cluster init`, so that tokens ascend"
      )
    }
    self.init(
      cluster: String(number), tokenBase: String(row.era << Self.sequenceBits), epoch: caller.epoch)
  }

  private struct Row: Decodable {
    var cluster: Int32?
    var isMoved: Bool
    var era: Int64
  }
}
