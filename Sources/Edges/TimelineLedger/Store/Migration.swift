/// One step of the ledger's schema. Steps have names, are appended and never changed.
struct Migration {
  let name: String
  let sql: String

  /// All steps, oldest first.
  static let all = first + later

  private static let first = [
    Migration(
      name: "1 jobs and entries",
      sql: """
        CREATE TABLE job (
          name TEXT PRIMARY KEY NOT NULL,
          schedule TEXT NOT NULL,
          last_settled INTEGER,
          cursor BLOB
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE entry (
          job TEXT NOT NULL,
          nominal INTEGER NOT NULL,
          claimed_at INTEGER,
          started_at INTEGER,
          ended_at INTEGER,
          cause TEXT NOT NULL,
          disposition TEXT,
          reason TEXT NOT NULL DEFAULT '',
          attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
          entry_count INTEGER NOT NULL DEFAULT 1 CHECK (entry_count >= 1),
          first_nominal INTEGER NOT NULL CHECK (first_nominal <= nominal),
          PRIMARY KEY (job, nominal),
          CHECK ((disposition IS NULL) = (ended_at IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX entry_open ON entry (job) WHERE disposition IS NULL;
        CREATE INDEX entry_ended ON entry (ended_at);
        """),
    // Entries before a job's first settled one can be missed, too. Jobs from before this step begin at their watermark.
    Migration(
      name: "2 when a job was first seen",
      sql: """
        ALTER TABLE job ADD COLUMN known_since INTEGER;
        UPDATE job SET known_since = last_settled;
        """),
    // Queries are ordered by nominal instant, and old entries are dropped job by job. No query uses the end alone any more.
    Migration(
      name: "3 runs, attempts, output, pauses, intents and tallies",
      sql: """
        ALTER TABLE entry ADD COLUMN run INTEGER;
        ALTER TABLE entry ADD COLUMN claimed_in INTEGER;
        ALTER TABLE entry ADD COLUMN intended_at INTEGER;
        ALTER TABLE job ADD COLUMN paused_since INTEGER;
        DROP INDEX entry_ended;
        CREATE INDEX entry_nominal ON entry (nominal);
        CREATE INDEX entry_run ON entry (run) WHERE run IS NOT NULL;
        CREATE INDEX entry_failed ON entry (nominal)
          WHERE disposition IN ('failed', 'timed-out', 'lost', 'unknown');
        CREATE INDEX entry_several ON entry (job, nominal) WHERE first_nominal < nominal;
        CREATE TABLE attempt (
          run INTEGER NOT NULL,
          number INTEGER NOT NULL CHECK (number >= 1),
          started_at INTEGER NOT NULL,
          ended_at INTEGER,
          status TEXT,
          message TEXT NOT NULL DEFAULT '',
          PRIMARY KEY (run, number),
          CHECK ((status IS NULL) = (ended_at IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE output (
          run INTEGER PRIMARY KEY NOT NULL,
          tail TEXT NOT NULL
        ) STRICT;
        CREATE TABLE boot (
          number INTEGER PRIMARY KEY NOT NULL,
          id TEXT UNIQUE NOT NULL
        ) STRICT;
        CREATE TABLE mark (
          name TEXT PRIMARY KEY NOT NULL,
          value INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE tally (
          job TEXT NOT NULL,
          hour INTEGER NOT NULL,
          measure TEXT NOT NULL,
          bucket INTEGER NOT NULL,
          count INTEGER NOT NULL CHECK (count >= 0),
          PRIMARY KEY (job, hour, measure, bucket)
        ) STRICT, WITHOUT ROWID;
        """),
    // A claim left open beside a record that covers it would count as a waiting entry. No open claim is worth keeping, because
    // a claimed entry that was not started will be reached again.
    Migration(
      name: "4 no claims of older programs",
      sql: "DELETE FROM entry WHERE disposition IS NULL AND started_at IS NULL"),
    // Ordered by time, so that entries that end together are adjacent: an end changes one page instead of one for each job.
    // Claims are no longer entries. The highest run number is a mark, and needs no index. A list of more than two values in the
    // condition of an index would be made into a table for each row that is written.
    Migration(
      name: "5 entries by time, claims apart",
      sql: """
        CREATE TABLE claims (
          number INTEGER PRIMARY KEY NOT NULL CHECK (number = 1),
          entries TEXT NOT NULL
        ) STRICT;
        INSERT INTO claims SELECT 1, coalesce(group_concat(job || ' ' || nominal || ' ' || coalesce(claimed_at, nominal)
          || ' ' || coalesce(claimed_in, 0) || ' ' || (intended_at IS NOT NULL), char(10)), '')
          FROM entry WHERE disposition IS NULL AND started_at IS NULL;
        INSERT INTO mark SELECT 'last run', run FROM entry WHERE run > 0 ORDER BY run DESC LIMIT 1
          ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value);
        ALTER TABLE entry RENAME TO former;
        CREATE TABLE entry (
          job TEXT NOT NULL,
          nominal INTEGER NOT NULL,
          claimed_at INTEGER,
          started_at INTEGER,
          ended_at INTEGER,
          cause TEXT NOT NULL,
          disposition TEXT,
          reason TEXT NOT NULL DEFAULT '',
          attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
          entry_count INTEGER NOT NULL DEFAULT 1 CHECK (entry_count >= 1),
          first_nominal INTEGER NOT NULL CHECK (first_nominal <= nominal),
          run INTEGER,
          PRIMARY KEY (nominal, job),
          CHECK ((disposition IS NULL) = (ended_at IS NULL)),
          CHECK (coalesce(started_at, ended_at) IS NOT NULL)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO entry SELECT job, nominal, claimed_at, started_at, ended_at, cause, disposition, reason, attempts,
          entry_count, first_nominal, run FROM former WHERE coalesce(started_at, ended_at) IS NOT NULL
          ORDER BY nominal, job;
        DROP TABLE former;
        CREATE INDEX entry_job ON entry (job, nominal);
        CREATE INDEX entry_open ON entry (nominal) WHERE disposition IS NULL;
        CREATE INDEX entry_failed ON entry (nominal)
          WHERE disposition = 'failed' OR disposition = 'timed-out' OR disposition = 'lost' OR disposition = 'unknown';
        CREATE INDEX entry_several ON entry (job, nominal) WHERE first_nominal < nominal;
        """),
    // The trigger bounds the table, because operators can act any number of times. The action that paused a job stays as long as
    // the pause.
    Migration(
      name: "6 actions of operators",
      sql: """
        CREATE TABLE action (
          number INTEGER PRIMARY KEY NOT NULL,
          at INTEGER NOT NULL,
          verb TEXT NOT NULL,
          job TEXT,
          nominal INTEGER,
          user INTEGER NOT NULL,
          user_name TEXT,
          process INTEGER NOT NULL,
          program TEXT,
          reason TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE INDEX action_job ON action (job, nominal, at);
        ALTER TABLE job ADD COLUMN pause_action INTEGER;
        CREATE INDEX job_pause_action ON job (pause_action) WHERE pause_action IS NOT NULL;
        CREATE TRIGGER action_limit AFTER INSERT ON action WHEN new.number % 100 = 0 BEGIN
          DELETE FROM action WHERE number <= new.number - 10000
            AND number NOT IN (SELECT pause_action FROM job WHERE pause_action IS NOT NULL);
        END;
        """),
    // State that must survive a stop or a crash: the time of a run's next attempt, and the upstream of a reaction.
    Migration(
      name: "7 next attempts and what reactions react to",
      sql: """
        ALTER TABLE entry ADD COLUMN retry_at INTEGER;
        CREATE TABLE upstream (
          job TEXT NOT NULL,
          nominal INTEGER NOT NULL,
          upstream_job TEXT NOT NULL,
          upstream_nominal INTEGER NOT NULL,
          cause TEXT NOT NULL,
          disposition TEXT NOT NULL,
          reason TEXT NOT NULL,
          run INTEGER,
          started_at INTEGER,
          ended_at INTEGER NOT NULL,
          attempts INTEGER NOT NULL,
          entry_count INTEGER NOT NULL,
          first_nominal INTEGER NOT NULL,
          PRIMARY KEY (nominal, job)
        ) STRICT, WITHOUT ROWID;
        """),
    // After the clock was set back, a job's watermark is earlier than some entries that it has decided. `furthest` is the last
    // of these entries.
    Migration(
      name: "8 furthest entries", sql: "ALTER TABLE job ADD COLUMN furthest INTEGER"),
    Migration(
      name: "9 outcomes",
      sql: """
        ALTER TABLE entry RENAME COLUMN disposition TO outcome;
        ALTER TABLE upstream RENAME COLUMN disposition TO outcome;
        """),
    // The trigger bounds the table, because battery and pressure can change any number of times. The newest row has the choice in
    // force.
    Migration(
      name: "10 changes of the mode",
      sql: """
        CREATE TABLE mode (
          number INTEGER PRIMARY KEY NOT NULL,
          at INTEGER NOT NULL,
          mode TEXT NOT NULL,
          cadence INTEGER NOT NULL,
          choice TEXT NOT NULL,
          cause TEXT NOT NULL,
          reason TEXT NOT NULL,
          user INTEGER,
          user_name TEXT,
          process INTEGER,
          program TEXT
        ) STRICT;
        CREATE INDEX mode_at ON mode (at);
        CREATE TRIGGER mode_limit AFTER INSERT ON mode WHEN new.number % 100 = 0 BEGIN
          DELETE FROM mode WHERE number <= new.number - 10000;
        END;
        """),
    // Records that the cluster's store does not have yet, and the identity of this node in the cluster.
    Migration(
      name: "11 records for the store of a cluster",
      sql: """
        CREATE TABLE upload (
          job TEXT NOT NULL,
          nominal INTEGER NOT NULL,
          epoch TEXT NOT NULL,
          token INTEGER,
          sent_at INTEGER,
          PRIMARY KEY (nominal, job)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX upload_sent ON upload (sent_at);
        CREATE TABLE node (
          number INTEGER PRIMARY KEY NOT NULL CHECK (number = 1),
          epoch TEXT NOT NULL,
          store TEXT NOT NULL
        ) STRICT;
        """),
    // In nanoseconds, over all attempts of the run; NULL if unknown.
    Migration(
      name: "12 processor time of runs", sql: "ALTER TABLE entry ADD COLUMN processor_time INTEGER"),
    // In bytes, the largest of all attempts: the peak itself, or a bound if only a bound is known; NULL if nothing is known.
    Migration(
      name: "13 peak memory of runs",
      sql: """
        ALTER TABLE entry ADD COLUMN memory_peak INTEGER;
        ALTER TABLE entry ADD COLUMN memory_peak_bound INTEGER;
        """),
    // An incident has a copy of the record of its last failure, like `upstream` for a reaction, because the entry may be
    // dropped earlier.
    Migration(
      name: "14 incidents",
      sql: """
        ALTER TABLE upstream ADD COLUMN incident TEXT;
        CREATE TABLE incident (
          job TEXT NOT NULL,
          kind TEXT NOT NULL,
          policy TEXT NOT NULL,
          count INTEGER NOT NULL,
          since INTEGER NOT NULL,
          told_at INTEGER,
          recent TEXT NOT NULL,
          nominal INTEGER NOT NULL,
          cause TEXT NOT NULL,
          outcome TEXT NOT NULL,
          reason TEXT NOT NULL,
          run INTEGER,
          started_at INTEGER,
          ended_at INTEGER NOT NULL,
          attempts INTEGER NOT NULL,
          entry_count INTEGER NOT NULL,
          first_nominal INTEGER NOT NULL,
          PRIMARY KEY (job, kind)
        ) STRICT, WITHOUT ROWID;
        """),
    // `upstream` has the record until the reaction has ended. The key of the upstream entry is kept with the reaction's entry.
    Migration(
      name: "15 reactions by their upstream entries",
      sql: """
        ALTER TABLE entry ADD COLUMN upstream_job TEXT;
        ALTER TABLE entry ADD COLUMN upstream_nominal INTEGER;
        CREATE INDEX entry_upstream ON entry (upstream_nominal, upstream_job) WHERE upstream_job IS NOT NULL;
        CREATE INDEX upstream_reactions ON upstream (upstream_nominal, upstream_job);
        """),
    // A copy of the file would have the identity of a daemon that may still be running.
    Migration(name: "16 no identity of a node", sql: "ALTER TABLE node DROP COLUMN epoch"),
    // Apart from the entries, because few have moved, and they are kept when the entry is dropped early. A row for each instant from
    // which the entry of a run had moved.
    Migration(
      name: "17 entries that had moved",
      sql: """
        CREATE TABLE moved (
          job TEXT NOT NULL,
          nominal INTEGER NOT NULL,
          origin INTEGER NOT NULL,
          PRIMARY KEY (nominal, job, origin)
        ) STRICT, WITHOUT ROWID;
        """),
  ]
}
