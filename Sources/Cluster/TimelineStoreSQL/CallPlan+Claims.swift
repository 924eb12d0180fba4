internal import TimelineCore
internal import TimelineStoreWire

extension CallPlan {
  /// Plan of ``StoreCall/claim(_:)``.
  ///
  /// The statement that assigns the tokens, in the order of the keys, runs after the jobs are locked. A later claim of a job
  /// by any node therefore has a higher token.
  init(_ call: ClaimCall<WantedClaim>, in place: StorePlace) {
    let entries = StoreJSON.encoded(call.claims)
    let claiming = StoreStatement(
      """
      insert into timelined.claim (job, nominal, epoch, token, entry_count)
      select s.id, s.nominal, $2::uuid, $4::bigint | nextval('timelined.token'), s.entry_count from (
        select j.id, (e.entry #>> '{key,nominal}')::bigint as nominal, (e.entry ->> 'entryCount')::integer as entry_count
        from jsonb_array_elements($3::jsonb) as e(entry)
        join timelined.job j on j.cluster = $1::integer and j.name = e.entry #>> '{key,job}' and j.owner = $2::uuid
        where \(StoreSQL.leaseLasts("$2::uuid")) and not exists (select from timelined.record r
          where r.job = j.id and r.nominal = (e.entry #>> '{key,nominal}')::bigint)
        order by 1, 2) s
      on conflict do nothing
      """, [place.cluster, place.epoch, entries, place.tokenBase])
    self.init([
      StoreSQL.lockingJobs(Set(call.claims.map(\.key.job.text)), .sharing, in: place), claiming,
      Self.answers(entries, in: place),
    ]) { (reply: ClaimReply) in .claim(reply) }
  }

  /// Plan of ``StoreCall/take(_:)``.
  ///
  /// The lock of the jobs excludes other claims. It prevents deadlocks, because an `update` does not lock its rows in order,
  /// unlike a sorted `insert`.
  init(_ call: ClaimCall<TakenClaim>, in place: StorePlace) {
    let claims = StoreJSON.encoded(call.claims)
    let taking = StoreStatement(
      """
      update timelined.claim c set epoch = $2::uuid, token = $4::bigint | s.sequence, claimed_at = clock_timestamp()
      from (select t.id, t.nominal, nextval('timelined.token') as sequence from (
          select j.id, o.nominal from jsonb_array_elements($3::jsonb) as e(claim)
          join timelined.job j on j.cluster = $1::integer and j.name = e.claim #>> '{key,job}' and j.owner = $2::uuid
          join timelined.claim o on o.job = j.id and o.nominal = (e.claim #>> '{key,nominal}')::bigint
            and o.epoch = (e.claim ->> 'formerEpoch')::uuid and o.epoch <> $2::uuid and not o.is_settled
          where \(StoreSQL.leaseLasts("$2::uuid")) order by 1, 2) t) s
      where c.job = s.id and c.nominal = s.nominal
      """, [place.cluster, place.epoch, claims, place.tokenBase])
    self.init([
      StoreSQL.lockingJobs(Set(call.claims.map(\.key.job.text)), .changing, in: place), taking,
      Self.answers(claims, in: place),
    ]) { (reply: ClaimReply) in .claim(reply) }
  }

  /// Statement that returns a ``ClaimReply`` about the keys of `entries`.
  private static func answers(_ entries: String, in place: StorePlace) -> StoreStatement {
    StoreStatement(
      """
      with asked as (select e.place, e.entry -> 'key' as key, e.entry #>> '{key,job}' as name, j.id,
          coalesce(j.owner = $2::uuid, false) as is_owned, (e.entry #>> '{key,nominal}')::bigint as nominal
        from jsonb_array_elements($3::jsonb) with ordinality as e(entry, place)
        left join timelined.job j on j.cluster = $1::integer and j.name = e.entry #>> '{key,job}'),
      found as (select a.*, c.epoch, c.token, m.node, coalesce(c.is_settled, false) or exists (
          select from timelined.record r where r.job = a.id and r.nominal = a.nominal) as has_outcome
        from asked a left join timelined.claim c on c.job = a.id and c.nominal = a.nominal
        left join timelined.member m on m.cluster = $1::integer and m.epoch = c.epoch and m.epoch <> $2::uuid)
      select json_build_object('isLost', not l.lasts,
        'foreignJobs', coalesce((select json_agg(distinct f.name) from found f where not f.is_owned), '[]'),
        'answers', coalesce((select json_agg(json_build_object('key', f.key, 'token', f.token,
            'isGranted', f.is_owned and coalesce(f.epoch = $2::uuid, false) and not f.has_outcome, 'node', f.node,
            'epoch', \(StoreSQL.hexadecimal("f.epoch")), 'hasOutcome', f.has_outcome) order by f.place)
          from found f where l.lasts), '[]'))
      from (select \(StoreSQL.leaseLasts("$2::uuid")) as lasts) l
      """, [place.cluster, place.epoch, entries])
  }

  /// Plan of ``StoreCall/withdraw(_:)``.
  init(_ call: ClaimCall<WithdrawnClaim>, in place: StorePlace) {
    self.init([
      StoreSQL.lockingJobs(Set(call.claims.map(\.key.job.text)), .changing, in: place),
      StoreStatement(
        """
        delete from timelined.claim c using jsonb_array_elements($3::jsonb) as e(claim), timelined.job j
        where j.cluster = $1::integer and j.name = e.claim #>> '{key,job}' and j.term = (e.claim ->> 'term')::bigint
          and c.job = j.id and c.nominal = (e.claim #>> '{key,nominal}')::bigint and c.epoch = $2::uuid
          and not c.is_settled
        """, [place.cluster, place.epoch, StoreJSON.encoded(call.claims)]),
    ])
  }

  /// Plan of ``StoreCall/publish(_:)``.
  ///
  /// The call needs no lease and no row of the job, because after a failover the new server may lack both.
  init(_ call: ClaimCall<PublishedClaim>, in place: StorePlace) {
    let claims = StoreJSON.encoded(call.claims)
    let publishing = StoreStatement(
      """
      insert into timelined.claim (job, nominal, epoch, token, entry_count, is_settled)
      select j.id, (e.claim #>> '{key,nominal}')::bigint, $2::uuid, (e.claim ->> 'token')::bigint,
        (e.claim ->> 'entryCount')::integer, exists (select from timelined.record r where r.job = j.id
          and r.nominal = (e.claim #>> '{key,nominal}')::bigint and r.epoch = $2::uuid)
      from jsonb_array_elements($3::jsonb) as e(claim)
      join timelined.job j on j.cluster = $1::integer and j.name = e.claim #>> '{key,job}'
      order by 1, 2 on conflict do nothing
      """, [place.cluster, place.epoch, claims])
    let conflicts = StoreStatement(
      """
      select json_build_object('conflicts', coalesce(json_agg(json_build_object('key', e.claim -> 'key',
        'node', coalesce(m.node, ''), 'epoch', \(StoreSQL.hexadecimal("c.epoch"))) order by j.name, c.nominal), '[]'))
      from jsonb_array_elements($3::jsonb) as e(claim)
      join timelined.job j on j.cluster = $1::integer and j.name = e.claim #>> '{key,job}'
      join timelined.claim c on c.job = j.id and c.nominal = (e.claim #>> '{key,nominal}')::bigint
        and c.epoch <> $2::uuid and c.token <> (e.claim ->> 'token')::bigint
      left join timelined.member m on m.cluster = $1::integer and m.epoch = c.epoch
      """, [place.cluster, place.epoch, claims])
    let jobs = Set(call.claims.map(\.key.job.text))
    self.init([
      StoreSQL.makingJobs(jobs, in: place), StoreSQL.lockingJobs(jobs, .sharing, in: place), publishing,
      conflicts,
    ]) { (reply: ConflictReply) in .conflicts(reply) }
  }
}
