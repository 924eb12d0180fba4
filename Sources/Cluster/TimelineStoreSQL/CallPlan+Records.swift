internal import TimelineCore
internal import TimelineStoreWire

extension CallPlan {
  /// Plan of ``StoreCall/record(_:)``.
  ///
  /// The lock of the jobs orders the records and claims of a job. The later call therefore sees the earlier one and finds a
  /// conflict.
  init(_ call: RecordCall, in place: StorePlace) {
    let records = StoreJSON.encoded(call.records.map(\.withShortReason))
    let incidents = call.incidents ?? []
    let jobs = Set(call.records.map(\.key.job.text) + call.progress.map(\.job) + incidents.map(\.job))
    let parameters: [String?] = [place.cluster, records]
    self.init([
      StoreSQL.makingJobs(jobs, in: place), StoreSQL.lockingJobs(jobs, .changing, in: place),
      StoreStatement(Self.storing, parameters), StoreStatement(Self.settling, parameters),
      StoreStatement(Self.progressing, [place.cluster, StoreJSON.encoded(call.progress)]),
      StoreStatement(Self.keepingIncidents, [place.cluster, StoreJSON.encoded(incidents)]),
      StoreStatement(Self.conflicting, parameters),
    ]) { (reply: ConflictReply) in .conflicts(reply) }
  }

  private static let storing = """
    insert into timelined.record (cluster, job, nominal, epoch, node, first_nominal, entry_count, outcome, cause, reason,
      started_at, ended_at, attempts, token)
    select $1::integer, j.id, (e.record #>> '{key,nominal}')::bigint, (e.record ->> 'epoch')::uuid, e.record ->> 'node',
      (e.record ->> 'firstNominal')::bigint, (e.record ->> 'entryCount')::bigint, e.record ->> 'outcome',
      e.record ->> 'cause', e.record ->> 'reason', (e.record ->> 'startedAt')::bigint,
      (e.record ->> 'endedAt')::bigint, (e.record ->> 'attempts')::bigint, (e.record ->> 'token')::bigint
    from jsonb_array_elements($2::jsonb) as e(record)
    join timelined.job j on j.cluster = $1::integer and j.name = e.record #>> '{key,job}'
    order by j.id, 3, 4 on conflict do nothing
    """

  /// Settles the claim of each record: the claim is held by the record's epoch, or has the record's token. A claim with the
  /// record's token but another epoch was inherited by a successor, or belongs to another node. A record of several entries
  /// settles all claims of its epoch within the record.
  private static let settling = """
    update timelined.claim c set is_settled = true from jsonb_array_elements($2::jsonb) as e(record)
    join timelined.job j on j.cluster = $1::integer and j.name = e.record #>> '{key,job}'
    where c.job = j.id and not c.is_settled and (c.epoch = (e.record ->> 'epoch')::uuid
        and c.nominal between (e.record ->> 'firstNominal')::bigint and (e.record #>> '{key,nominal}')::bigint
      or c.nominal = (e.record #>> '{key,nominal}')::bigint and c.token = (e.record ->> 'token')::bigint)
    """

  /// Statement that stores the progress of jobs. A failed run that a lagging node records late must not hide a later success.
  private static let progressing = """
    update timelined.job j set watermark = greatest(j.watermark, (e.progress ->> 'watermark')::bigint),
      is_failing = case when (e.progress ->> 'watermark')::bigint >= coalesce(j.watermark, (e.progress ->> 'watermark')::bigint)
        then coalesce((e.progress ->> 'isFailing')::boolean, j.is_failing) else j.is_failing end,
      cursor = case when (e.progress #>> '{cursor,token}')::bigint >= coalesce(j.cursor_token, 0)
        then e.progress #>> '{cursor,bytes}' else j.cursor end,
      cursor_token = greatest(j.cursor_token, (e.progress #>> '{cursor,token}')::bigint)
    from jsonb_array_elements($2::jsonb) as e(progress)
    where j.cluster = $1::integer and j.name = e.progress ->> 'job'
    """

  /// Statement that stores incidents. Incidents that a former owner stores late must not replace the incidents of the present
  /// owner.
  private static let keepingIncidents = """
    update timelined.job j set incidents = e.told -> 'incidents' from jsonb_array_elements($2::jsonb) as e(told)
    where j.cluster = $1::integer and j.name = e.told ->> 'job' and j.term = (e.told ->> 'term')::bigint
    """

  /// Statement that finds entries with an outcome of one epoch and an outcome or a claim of another epoch. A record with the
  /// outcome `unknown` and without a start is not counted, because its node took the entry over without running it.
  private static let conflicting = """
    with asked as (select e.record -> 'key' as key, j.name, j.id, (e.record #>> '{key,nominal}')::bigint as nominal,
        (e.record ->> 'epoch')::uuid as epoch, (e.record ->> 'token')::bigint as token
      from jsonb_array_elements($2::jsonb) as e(record)
      join timelined.job j on j.cluster = $1::integer and j.name = e.record #>> '{key,job}'
      where not (e.record ->> 'outcome' = 'unknown' and e.record ->> 'startedAt' is null)),
    others as (
      select a.key, a.name, a.nominal, r.node, r.epoch from asked a
        join timelined.record r on r.job = a.id and r.nominal = a.nominal and r.epoch <> a.epoch
          and not (r.outcome = 'unknown' and r.started_at is null)
      union all
      select a.key, a.name, a.nominal, coalesce(m.node, ''), c.epoch from asked a
        join timelined.claim c on c.job = a.id and c.nominal = a.nominal and c.epoch <> a.epoch
          and c.token is distinct from a.token
          and not exists (select from timelined.record r where r.job = c.job and r.nominal = c.nominal
            and r.epoch = c.epoch and r.outcome = 'unknown' and r.started_at is null)
        left join timelined.member m on m.cluster = $1::integer and m.epoch = c.epoch)
    select json_build_object('conflicts', coalesce(json_agg(json_build_object('key', o.key, 'node', o.node,
      'epoch', \(StoreSQL.hexadecimal("o.epoch"))) order by o.name, o.nominal), '[]'))
    from (select distinct on (name, nominal) * from others order by name, nominal, epoch) o
    """

  /// Plan of ``StoreCall/history(_:)``.
  init(_ call: HistoryCall, in place: StorePlace) {
    let statement = StoreStatement(
      """
      select json_build_object(
        'records', (select coalesce(json_agg(v.record order by v.nominal desc, v.name), '[]') from (
          select r.nominal, j.name, json_build_object('key', json_build_object('job', j.name, 'nominal', r.nominal),
            'firstNominal', r.first_nominal, 'entryCount', r.entry_count, 'outcome', r.outcome, 'cause', r.cause,
            'reason', r.reason, 'startedAt', r.started_at, 'endedAt', r.ended_at, 'attempts', r.attempts,
            'node', r.node, 'epoch', \(StoreSQL.hexadecimal("r.epoch")), 'token', r.token) as record
          from timelined.record r join timelined.job j on j.id = r.job
          where r.cluster = $1::integer and ($2::text is null or j.name = $2::text)
            and ($3::bigint is null or r.nominal >= $3::bigint) and ($4::bigint is null or r.nominal < $4::bigint)
            and ($5::jsonb is null or $5::jsonb ? r.outcome)
          order by r.nominal desc, j.name limit $6::integer) v),
        'claims', (select coalesce(json_agg(v.claim order by v.nominal desc, v.name), '[]') from (
          select c.nominal, j.name, json_build_object('key', json_build_object('job', j.name, 'nominal', c.nominal),
            'node', coalesce(m.node, ''), 'epoch', \(StoreSQL.hexadecimal("c.epoch")), 'token', c.token,
            'claimedAt', \(StoreSQL.nanoseconds("c.claimed_at")),
            'leaseUntil', \(StoreSQL.nanoseconds("coalesce(m.lease_until, c.claimed_at)"))) as claim
          from timelined.claim c join timelined.job j on j.id = c.job and j.cluster = $1::integer
          left join timelined.member m on m.cluster = $1::integer and m.epoch = c.epoch
          where not c.is_settled and ($2::text is null or j.name = $2::text)
            and ($3::bigint is null or c.nominal >= $3::bigint) and ($4::bigint is null or c.nominal < $4::bigint)
          order by c.nominal desc, j.name limit $6::integer) v))
      """,
      [
        place.cluster, call.job, call.since.map { String($0) }, call.until.map { String($0) },
        call.outcomes.map(StoreJSON.encoded), String(call.limit),
      ])
    self.init([statement]) { (reply: StoreHistoryReply) in .history(reply.fitting) }
  }

  /// Plan of ``StoreCall/status(_:)``.
  ///
  /// Without the role `pg_read_all_stats`, only the existence of standbys is visible.
  init(_ call: StatusCall, in place: StorePlace) {
    let statement = StoreStatement(
      """
      select json_build_object('server', 'PostgreSQL ' || current_setting('server_version'),
        'identity', \(StoreSQL.identity), 'storeTime', \(StoreSQL.storeTime), 'hasMoreJobs', false,
        'standbys', (select coalesce(json_agg(json_build_object(
            'name', coalesce(nullif(r.application_name, ''), host(r.client_addr), 'unknown: grant pg_read_all_stats'),
            'isSynchronous', coalesce(r.sync_state in ('sync', 'quorum'), false),
            'bytesBehind', pg_wal_lsn_diff(pg_current_wal_lsn(), r.flush_lsn)::bigint) order by r.pid), '[]')
          from pg_catalog.pg_stat_replication r),
        'nodes', \(StoreSQL.nodes), 'jobs', \(StoreSQL.jobs(after: "$2")))
      """, [place.cluster, call.afterJob])
    self.init([statement]) { (reply: StoreStatusReply) in .status(reply.fitting) }
  }
}
