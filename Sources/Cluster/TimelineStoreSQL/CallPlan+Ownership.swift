internal import TimelineStoreWire

extension CallPlan {
  /// Plan of ``StoreCall/acquire(_:)``.
  init(_ call: AcquireCall, in place: StorePlace) {
    let names = call.jobs.map(\.job)
    let jobs = StoreJSON.encoded(call.jobs)
    let lockingOwners = StoreStatement(
      """
      select 1 from timelined.member m where m.cluster = $1::integer
        and m.epoch in (select (e.job ->> 'formerOwner')::uuid from jsonb_array_elements($3::jsonb) as e(job))
        and m.epoch <> $2::uuid
      order by m.epoch for share
      """, [place.cluster, place.epoch, jobs])
    // A deleted owner has no lease either. A node that acquires its own job begins a new term by naming itself as the former
    // owner.
    let acquiring = StoreSQL.changingView(
      """
      update timelined.job j set owner = $2::uuid, term = j.term + 1 from jsonb_array_elements($3::jsonb) as e(job)
      where j.cluster = $1::integer and j.name = e.job ->> 'job'
        and j.owner is not distinct from (e.job ->> 'formerOwner')::uuid
        and (j.owner = $2::uuid or not \(StoreSQL.leaseLasts("j.owner"))) and \(StoreSQL.leaseLasts("$2::uuid"))
      """, [place.cluster, place.epoch, jobs])
    let settling = StoreStatement(Self.settling, [place.cluster, place.epoch, StoreJSON.encoded(names)])
    let reply = StoreStatement(
      """
      select json_build_object('isLost', not \(StoreSQL.leaseLasts("$2::uuid")),
        'jobs', coalesce((select json_agg(json_build_object('job', j.name, 'term', j.term, 'watermark', j.watermark,
          'cursor', j.cursor, 'isFailing', j.is_failing, 'incidents', j.incidents, 'pausedSince', j.paused_since,
          'claims', \(Self.openClaims), 'decided', \(Self.decided)) order by j.name)
        from timelined.job j where j.cluster = $1::integer and j.owner = $2::uuid
          and j.name in (select jsonb_array_elements_text($3::jsonb))), '[]'))
      """, [place.cluster, place.epoch, StoreJSON.encoded(names)])
    self.init([
      StoreSQL.makingJobs(names, in: place), lockingOwners, StoreSQL.lockingJobs(names, .changing, in: place),
      acquiring, settling, reply,
    ]) { (reply: AcquireReply) in
      .acquire(reply.isLost ? AcquireReply(isLost: true, jobs: []) : reply)
    }
  }

  /// Statement that settles claims of entries with an outcome. A late outcome of a former holder does not settle the claim of the
  /// present one, which may be running the entry, until the job is acquired again.
  private static let settling = """
    update timelined.claim c set is_settled = true from timelined.job j
    where j.cluster = $1::integer and j.owner = $2::uuid and j.name in (select jsonb_array_elements_text($3::jsonb))
      and c.job = j.id and not c.is_settled
      and exists (select from timelined.record r where r.job = c.job and r.nominal >= c.nominal
        and (r.nominal = c.nominal or r.first_nominal <= c.nominal and \(isOfSchedule)))
    """

  private static let isOfSchedule =
    "r.cause not in ('\(StoredRecord.causesBesideSchedule.joined(separator: "', '"))')"

  /// The claims without an outcome of job `j`, as JSON.
  private static let openClaims = """
    (select coalesce(json_agg(json_build_object('nominal', o.nominal, 'entryCount', o.entry_count,
        'node', coalesce(m.node, ''), 'epoch', \(StoreSQL.hexadecimal("o.epoch")), 'token', o.token,
        'leaseUntil', \(StoreSQL.nanoseconds("coalesce(m.lease_until, o.claimed_at)"))) order by o.nominal), '[]')
      from (select * from timelined.claim c where c.job = j.id and not c.is_settled
        order by c.nominal desc limit \(StoreWireLimits.entriesMax)) o
      left join timelined.member m on m.cluster = $1::integer and m.epoch = o.epoch)
    """

  /// The spans of the outcomes of job `j` later than its watermark, as JSON; null for none. The earliest ones share a span.
  private static let decided = """
    (select json_agg(json_build_array(d.first, d.last) order by d.last, d.first)
      from (select min(n.first) as first, max(n.last) as last from (
          select s.first, s.last, least(row_number() over (order by s.last desc, s.first desc), \(StoreWireLimits.entriesMax)) as place
          from (select distinct least(r.first_nominal, r.nominal) as first, r.nominal as last from timelined.record r
            where r.job = j.id and r.nominal > j.watermark and \(isOfSchedule)) s) n
        group by n.place) d)
    """

  /// Plan of ``StoreCall/release(_:)``.
  init(_ call: ReleaseCall, in place: StorePlace) {
    self.init([
      StoreSQL.lockingJobs(call.jobs.map(\.job), .changing, in: place),
      StoreSQL.changingView(
        """
        update timelined.job j set owner = null from jsonb_array_elements($3::jsonb) as e(job)
        where j.cluster = $1::integer and j.name = e.job ->> 'job' and j.owner = $2::uuid
          and j.term = (e.job ->> 'term')::bigint
        """, [place.cluster, place.epoch, StoreJSON.encoded(call.jobs)]),
    ])
  }

  /// Plan of ``StoreCall/activate(_:)``.
  init(_ call: ActivateCall, in place: StorePlace) {
    self.init([
      StoreSQL.makingJobs(call.digests.keys, in: place),
      StoreSQL.lockingJobs(call.digests.keys, .changing, in: place),
      StoreSQL.changingView(
        """
        update timelined.job j set active_digest = e.value from jsonb_each_text($2::jsonb) e
        where j.cluster = $1::integer and j.name = e.key and j.active_digest is distinct from e.value
        """, [place.cluster, StoreJSON.encoded(call.digests)]),
    ])
  }

  /// Plan of ``StoreCall/pause(_:)``.
  init(_ call: PauseCall, in place: StorePlace) {
    self.init([
      StoreSQL.makingJobs([call.job], in: place), StoreSQL.lockingJobs([call.job], .changing, in: place),
      StoreSQL.changingView(
        """
        update timelined.job j set paused_since = $3::bigint where j.cluster = $1::integer and j.name = $2::text
          and j.paused_since is distinct from $3::bigint
        """, [place.cluster, call.job, call.since.map { String($0) }]),
    ])
  }
}
