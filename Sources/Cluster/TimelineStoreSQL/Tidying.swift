/// Deletion of old rows, in small portions after each renewal.
package enum Tidying {
  /// Age at which claims, records and members are deleted: 90 days, so that the last quarterly run can be looked up.
  private static let days = 90
  /// Rows of each kind in one portion: some milliseconds of work.
  private static let portion = 500
  /// Pause between two visits of a job, unless the last visit found a whole portion.
  private static let pause = "interval '1 hour'"
  /// Time after the end of an epoch at which the digests of its jobs are deleted. They are no longer used.
  private static let digestPause = "interval '1 day'"

  /// Returns the statements of one portion. A failure does no harm. Rows locked by other transactions are skipped. Jobs stay,
  /// with their watermarks and cursors.
  package static func statements(in place: StorePlace) -> [StoreStatement] {
    [
      StoreStatement(oneJob, [place.cluster]), StoreStatement(digests, [place.cluster]),
      StoreStatement(members, [place.cluster]),
    ]
  }

  private static let cutoff = "clock_timestamp() - interval '\(days) days'"
  private static let nominalCutoff = StoreSQL.nanoseconds(cutoff)

  /// Deletes old rows of the job with the earliest last visit. The nominal instant, which the key indexes, and the instant of
  /// the claim must both be old, because an old entry may have been claimed recently.
  private static let oneJob = """
    with picked as (select id from timelined.job where cluster = $1::integer and tidied_at < clock_timestamp() - \(pause)
        order by tidied_at, id limit 1 for no key update skip locked),
      claims as (delete from timelined.claim c using (select o.job, o.nominal from picked p cross join lateral (
          select job, nominal from timelined.claim where job = p.id and nominal < \(nominalCutoff) and claimed_at < \(cutoff)
          order by nominal limit \(portion) for update skip locked) o) old
        where c.job = old.job and c.nominal = old.nominal returning 1),
      records as (delete from timelined.record r using (select o.job, o.nominal, o.epoch from picked p cross join lateral (
          select job, nominal, epoch from timelined.record where job = p.id and nominal < \(nominalCutoff)
            and ended_at < \(nominalCutoff)
          order by nominal limit \(portion) for update skip locked) o) old
        where r.job = old.job and r.nominal = old.nominal and r.epoch = old.epoch returning 1)
    update timelined.job j set tidied_at = clock_timestamp() from picked p where j.id = p.id
      and (select count(*) from claims) < \(portion) and (select count(*) from records) < \(portion)
    """

  private static let digests = """
    delete from timelined.digest d using timelined.member m where m.cluster = $1::integer and m.epoch = d.epoch
      and (not m.is_current or m.has_left or m.lease_until < \(cutoff))
      and m.lease_until < clock_timestamp() - \(digestPause)
    """

  private static let members = """
    delete from timelined.member where (cluster, epoch) in (select m.cluster, m.epoch from timelined.member m
      where m.cluster = $1::integer and m.lease_until < \(cutoff)
        and not exists (select from timelined.claim c where c.epoch = m.epoch and not c.is_settled)
      order by m.epoch limit \(portion) for update skip locked)
    """
}
