internal import TimelineStoreWire

extension CallPlan {
  /// Plan of ``StoreCall/join(_:)``.
  ///
  /// A unique index allows one current epoch for each node name. If two new epochs join at the same time, the second waits for
  /// the first.
  init(_ call: JoinCall, in place: StorePlace) {
    let lease = String(call.leaseMilliseconds)
    let locking = StoreStatement(
      """
      select 1 from timelined.member m where m.cluster = $1::integer and m.node = $2::text and m.is_current
      for no key update
      """, [place.cluster, call.node])
    let superseding = StoreStatement(
      """
      update timelined.member m set is_current = false, lease_until = least(m.lease_until, clock_timestamp())
      where m.cluster = $1::integer and m.node = $2::text and m.is_current and m.epoch <> $3::uuid
        and (m.has_left or m.lease_until <= clock_timestamp() or m.epoch = $4::uuid)
        and not exists (select from timelined.member o where o.cluster = $1::integer and o.epoch = $3::uuid)
      """, [place.cluster, call.node, place.epoch, call.formerEpoch])
    let making = StoreStatement(
      """
      insert into timelined.member (cluster, epoch, node, lease_until, is_current, labels, program)
      select $1::integer, $3::uuid, $2::text, clock_timestamp(), true, '{}', ''
      where not exists (select from timelined.member m where m.cluster = $1::integer and m.node = $2::text
        and m.is_current)
      on conflict do nothing
      """, [place.cluster, call.node, place.epoch])
    let leasing = StoreStatement(
      """
      update timelined.member m set lease_until = clock_timestamp() + \(StoreSQL.interval(milliseconds: "$4")),
        labels = $5::json, program = $6::text
      where m.cluster = $1::integer and m.node = $2::text and m.epoch = $3::uuid and m.is_current and not m.has_left
      """, [place.cluster, call.node, place.epoch, lease, StoreJSON.encoded(call.labels), call.version])
    let reply = StoreStatement(
      """
      select json_build_object('hasJoined', m.epoch = $3::uuid and not m.has_left,
        'holder', case when m.epoch <> $3::uuid or m.has_left then \(StoreSQL.hexadecimal("m.epoch")) end,
        'holderLeaseMilliseconds', case when m.epoch <> $3::uuid or m.has_left
          then greatest(0, ceil(extract(epoch from m.lease_until - clock_timestamp()) * 1000))::bigint end,
        'storeTime', \(StoreSQL.storeTime), 'identity', \(StoreSQL.identity))
      from timelined.member m where m.cluster = $1::integer and m.node = $2::text and m.is_current
      """, [place.cluster, call.node, place.epoch])
    self.init([locking, superseding, making, leasing] + Self.inheriting(call, in: place) + [reply]) {
      (reply: JoinReply) in .join(reply)
    }
  }

  /// Returns the statements that move the jobs and open claims of the former epoch to its successor. A claim keeps its token,
  /// because its run may still be active after the former daemon has ended.
  private static func inheriting(_ call: JoinCall, in place: StorePlace) -> [StoreStatement] {
    guard let former = call.formerEpoch else { return [] }
    let parameters: [String?] = [place.cluster, call.node, place.epoch, former]
    let follows = """
      exists (select from timelined.member n join timelined.member f on f.cluster = n.cluster and f.node = n.node
        where n.cluster = $1::integer and n.node = $2::text and n.epoch = $3::uuid and n.is_current and not n.has_left
          and f.epoch = $4::uuid and not f.is_current)
      """
    return [
      StoreStatement(
        """
        select 1 from timelined.job j where j.cluster = $1::integer and \(follows) and (j.owner = $4::uuid or j.id in (
          select c.job from timelined.claim c where c.epoch = $4::uuid and not c.is_settled))
        order by j.id for no key update
        """, parameters),
      StoreStatement(
        """
        update timelined.claim c set epoch = $3::uuid from timelined.job j where j.cluster = $1::integer and j.id = c.job
          and c.epoch = $4::uuid and not c.is_settled and \(follows)
        """, parameters),
      StoreSQL.changingView(
        """
        update timelined.job j set owner = $3::uuid where j.cluster = $1::integer and j.owner = $4::uuid and \(follows)
        """, parameters),
    ]
  }

  /// Plan of ``StoreCall/renew(_:)``.
  ///
  /// The version of the view contains the timeline, like a token, because a promoted standby that lagged issues some numbers
  /// again.
  init(_ call: RenewCall, in place: StorePlace) {
    let leasing = StoreStatement(
      """
      update timelined.member m set lease_until = clock_timestamp() + \(StoreSQL.interval(milliseconds: "$3")),
        clock_offset = $4::bigint
      where m.cluster = $1::integer and m.epoch = $2::uuid and m.is_current and not m.has_left
      """,
      [
        place.cluster, place.epoch, String(call.leaseMilliseconds),
        call.clockOffsetMilliseconds.map { String($0) },
      ])
    let view = StoreStatement(
      """
      select json_build_object('isLost', not exists (select from timelined.member m where m.cluster = $1::integer
          and m.epoch = $2::uuid and m.is_current and not m.has_left),
        'storeTime', \(StoreSQL.storeTime), 'identity', \(StoreSQL.identity), 'nodes', \(StoreSQL.nodes),
        'version', v.version, 'hasMoreJobs', false,
        'jobs', case when v.version is distinct from $3::bigint or $4::text is not null
          then \(StoreSQL.jobs(after: "$4")) end)
      from (select $5::bigint | c.version as version from timelined.cluster c where c.id = $1::integer) v
      """,
      [place.cluster, place.epoch, call.knownVersion.map { String($0) }, call.afterJob, place.tokenBase])
    self.init([leasing] + Self.publishingDigests(call, in: place) + [view]) { (reply: RenewReply) in
      .renew(reply.fitting)
    }
  }

  private static func publishingDigests(_ call: RenewCall, in place: StorePlace) -> [StoreStatement] {
    guard let digests = call.digests else { return [] }
    return [
      StoreSQL.makingJobs(digests.keys, in: place),
      StoreStatement(
        """
        with given as (select j.id, e.value as digest from jsonb_each_text($3::jsonb) e
            join timelined.job j on j.cluster = $1::integer and j.name = e.key),
          gone as (delete from timelined.digest d using timelined.job j
            where j.cluster = $1::integer and d.job = j.id and d.epoch = $2::uuid and not $4::boolean
              and not exists (select from given g where g.id = d.job) returning 1),
          put as (insert into timelined.digest (job, epoch, digest)
            select g.id, $2::uuid, g.digest from given g where exists (select from timelined.member m
              where m.cluster = $1::integer and m.epoch = $2::uuid and m.is_current and not m.has_left)
            order by g.id
            on conflict (job, epoch) do update set digest = excluded.digest
              where timelined.digest.digest <> excluded.digest returning 1)
        update timelined.cluster set version = version + 1 where id = $1::integer
          and (exists (select from gone) or exists (select from put))
        """, [place.cluster, place.epoch, StoreJSON.encoded(digests), call.addsDigests ? "true" : "false"]),
    ]
  }

  /// Plan of ``StoreCall/leave``.
  static func leave(in place: StorePlace) -> CallPlan {
    let parameters: [String?] = [place.cluster, place.epoch]
    return CallPlan([
      StoreStatement(
        """
        update timelined.member m set has_left = true, lease_until = least(m.lease_until, clock_timestamp())
        where m.cluster = $1::integer and m.epoch = $2::uuid
        """, parameters),
      StoreStatement(
        """
        select 1 from timelined.job j where j.cluster = $1::integer and j.owner = $2::uuid order by j.id
        for no key update
        """, parameters),
      StoreSQL.changingView(
        "update timelined.job j set owner = null where j.cluster = $1::integer and j.owner = $2::uuid",
        parameters),
    ])
  }
}
