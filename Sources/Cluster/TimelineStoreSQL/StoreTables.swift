package import TimelineStoreWire

/// The tables in PostgreSQL: versions and migrations.
package enum StoreTables {
  /// Version of the tables that this program uses.
  package static let version = 3

  /// Statement that reads the ``State``. For `tables`, ``StoreTransaction/begin(_:)`` runs it last.
  static let stateText = """
    select json_build_object('hasSchema', to_regnamespace('timelined') is not null, 'hasTables', exists (
      select from pg_catalog.pg_tables t where t.schemaname = 'timelined' and t.tablename = 'meta'))
    """

  /// Statement that reads the version and locks it, so that one transaction at a time changes the tables.
  package static let lockingVersion = StoreStatement(
    "select version from timelined.meta for update")

  /// Existing parts of the schema.
  package struct State: Decodable, Sendable, Hashable {
    /// Whether the schema exists. An administrator may have created it for a user without the privilege.
    package var hasSchema: Bool
    package var hasTables: Bool

    /// Reads the row that the start of a transaction has returned.
    package init(row: String?) throws(StoreFailure) { self = try StoreJSON.decoded(row) }
  }

  /// Returns the statements that migrate the tables from `version` (0 for no tables) to the present version and add the
  /// cluster.
  package static func statements(from version: Int, hasSchema: Bool, cluster: String) -> [StoreStatement] {
    let schema = hasSchema ? [] : ["create schema timelined"]
    let steps = steps.dropFirst(version).flatMap { $0 }
    let mark =
      version == 0
      ? [
        "insert into timelined.meta (version, system) select \(self.version), system_identifier::text from pg_catalog.pg_control_system()"
      ]
      : version < self.version ? ["update timelined.meta set version = \(self.version)"] : []
    return (schema + steps + mark + [moved]).map { StoreStatement($0) } + [
      StoreStatement(
        """
        insert into timelined.cluster (name) select $1::text
        where not exists (select from timelined.cluster c where c.name = $1::text) on conflict do nothing
        """, [cluster])
    ]
  }

  /// Raises the base of the tokens if the tables came from another server. The timeline of that server may have been higher.
  private static let moved = """
    update timelined.meta m set system = s.system_identifier::text, token_base = greatest(m.token_base,
      (select max(c.token) >> \(StorePlace.sequenceBits) from timelined.claim c),
      (select max(j.cursor_token) >> \(StorePlace.sequenceBits) from timelined.job j))
    from pg_catalog.pg_control_system() s where m.system <> s.system_identifier::text
    """

  /// Migrations, each from one version to the next. They never change.
  ///
  /// There are no foreign keys, because their checks would lock rows in a different order. A row of `claim` is small, with 16
  /// bytes of epoch and 4 bytes of job number, because each entry has a row.
  private static let steps = [
    [
      """
      create table timelined.meta (
        one boolean primary key default true check (one),
        version integer not null, system text not null, token_base bigint not null default 0)
      """,
      """
      create table timelined.cluster (
        id integer generated always as identity primary key,
        name text collate "C" not null unique, version bigint not null default 1)
      """,
      """
      create table timelined.member (
        cluster integer not null, epoch uuid not null, node text collate "C" not null,
        lease_until timestamptz not null, is_current boolean not null, has_left boolean not null default false,
        labels json not null, clock_offset bigint, program text not null, primary key (cluster, epoch))
      """,
      "create unique index member_node on timelined.member (cluster, node) where is_current",
      """
      create table timelined.job (
        id integer generated always as identity primary key,
        cluster integer not null, name text collate "C" not null, owner uuid, active_digest text, watermark bigint,
        cursor text, cursor_token bigint, is_failing boolean not null default false, paused_since bigint,
        tidied_at timestamptz not null default clock_timestamp(), unique (cluster, name))
      """,
      """
      create table timelined.digest (
        job integer not null, epoch uuid not null, digest text not null, primary key (job, epoch))
      """,
      "create sequence timelined.token",
      """
      create table timelined.claim (
        nominal bigint not null, token bigint not null, claimed_at timestamptz not null default clock_timestamp(),
        epoch uuid not null, job integer not null, entry_count integer not null,
        is_settled boolean not null default false, primary key (job, nominal))
      """,
      "create index claim_open on timelined.claim (job, nominal) where not is_settled",
      """
      create table timelined.record (
        cluster integer not null, job integer not null, nominal bigint not null, epoch uuid not null,
        node text not null, first_nominal bigint not null, entry_count bigint not null, outcome text not null,
        cause text not null, reason text not null, started_at bigint, ended_at bigint not null,
        attempts bigint not null, token bigint, primary key (job, nominal, epoch))
      """,
      "create index record_time on timelined.record (cluster, nominal desc)",
    ],
    ["alter table timelined.job add column term bigint not null default 0"],
    ["alter table timelined.job add column incidents jsonb"],
  ]
}
