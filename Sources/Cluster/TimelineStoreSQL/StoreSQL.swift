internal import TimelineStoreWire

/// Fragments of SQL in several statements. `$1` is always the number of the cluster.
enum StoreSQL {
  /// Number of the server's present timeline. After a promotion, `pg_control_checkpoint` would still return the former
  /// timeline.
  static let timeline =
    "('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer"

  /// Identity of the store: the number of the server and its timeline. Each promotion begins a new timeline.
  static let identity =
    "(select s.system_identifier::text || '/' || \(timeline) from pg_catalog.pg_control_system() s)"

  /// Clock of the store, in nanoseconds since 1970.
  static let storeTime = nanoseconds("clock_timestamp()")

  /// Returns SQL for an instant in nanoseconds since 1970. PostgreSQL stores microseconds.
  static func nanoseconds(_ instant: String) -> String {
    "(extract(epoch from \(instant)) * 1000000)::bigint * 1000"
  }

  /// Returns SQL for an epoch in the format of the wire: hexadecimal digits without hyphens.
  static func hexadecimal(_ epoch: String) -> String { "replace((\(epoch))::text, '-', '')" }

  /// Returns SQL for a number of milliseconds as an interval.
  static func interval(milliseconds parameter: String) -> String {
    "\(parameter)::bigint * interval '1 millisecond'"
  }

  /// Returns the condition that `epoch` has a valid lease.
  static func leaseLasts(_ epoch: String) -> String {
    """
    exists (select from timelined.member l where l.cluster = $1::integer and l.epoch = \(epoch) and l.is_current
      and not l.has_left and l.lease_until > clock_timestamp())
    """
  }

  /// Returns the statement that inserts the missing jobs.
  ///
  /// The condition `not exists` saves job numbers, because a conflicting insert uses up a number, too.
  static func makingJobs(_ names: some Sequence<String>, in place: StorePlace) -> StoreStatement {
    StoreStatement(
      """
      insert into timelined.job (cluster, name)
      select $1::integer, n.name from (select distinct e.name collate "C" as name
        from jsonb_array_elements_text($2::jsonb) as e(name) order by 1) n
      where not exists (select from timelined.job j where j.cluster = $1::integer and j.name = n.name)
      on conflict do nothing
      """, [place.cluster, StoreJSON.encoded(Array(names))])
  }

  /// Kinds of locks of rows.
  enum Lock: String {
    /// Blocks changes.
    case sharing = "for share"
    /// Blocks changes and other locks.
    case changing = "for no key update"
  }

  /// Returns the statement that locks the jobs' rows.
  static func lockingJobs(_ names: some Sequence<String>, _ lock: Lock, in place: StorePlace)
    -> StoreStatement
  {
    StoreStatement(
      """
      select 1 from timelined.job j where j.cluster = $1::integer
        and j.name in (select jsonb_array_elements_text($2::jsonb)) order by j.id \(lock.rawValue)
      """, [place.cluster, StoreJSON.encoded(Array(names))])
  }

  /// Returns a statement that runs `text` and increments the view's version if `text` has changed a row.
  static func changingView(_ text: String, _ parameters: [String?]) -> StoreStatement {
    StoreStatement(
      """
      with changed as (\(text) returning 1)
      update timelined.cluster set version = version + 1 where id = $1::integer and exists (select from changed)
      """, parameters)
  }

  /// Time after which a node without a lease is left out of views: long enough for an operator to see the node, short enough
  /// that machines with changing names do not fill the views.
  private static let nodeShown = "interval '7 days'"

  /// Nodes of a view, as JSON.
  static let nodes = """
    (select coalesce(json_agg(n.node order by n.lease_until desc), '[]') from (
      select m.lease_until, json_build_object('node', m.node, 'epoch', \(hexadecimal("m.epoch")), 'labels', m.labels,
        'leaseMilliseconds', ceil(extract(epoch from m.lease_until - clock_timestamp()) * 1000)::bigint,
        'clockOffsetMilliseconds', m.clock_offset, 'hasLeft', m.has_left, 'version', m.program) as node
      from timelined.member m where m.cluster = $1::integer and m.is_current
        and m.lease_until > clock_timestamp() - \(nodeShown)
      order by m.lease_until desc limit \(StoreWireLimits.nodesMax)) n)
    """

  /// Returns SQL for the jobs of a view after the name in `parameter`, as a JSON array. If further jobs follow, the array has
  /// one job more than a part.
  static func jobs(after parameter: String) -> String {
    """
    (select coalesce(json_agg(v.job order by v.name), '[]') from (
      select j.name, json_build_object('job', j.name, 'owner', \(hexadecimal("j.owner")), 'term', j.term,
        'activeDigest', j.active_digest, 'pausedSince', j.paused_since, 'digests', coalesce((
          select json_object_agg(\(hexadecimal("d.epoch")), d.digest) from timelined.digest d
          join timelined.member m on m.cluster = $1::integer and m.epoch = d.epoch and m.is_current
            and m.lease_until > clock_timestamp()
          where d.job = j.id), '{}')) as job
      from timelined.job j where j.cluster = $1::integer
        and (\(parameter)::text is null or j.name > \(parameter)::text)
      order by j.name limit \(StoreWireLimits.jobsMax + 1)) v)
    """
  }
}
