/// The tables, as an append-only list of migrations.
///
/// The row `format` of `meta` is the number of migrations that were applied to a database. Texts from
/// peers are stored as bytes: they may have zero bytes, which PostgreSQL's type `text` refuses.
enum PostgresSchema {
  /// The format of this build.
  static var current: Int { migrations.count }

  /// Each migration leads from the format of its index to the next one.
  static let migrations: [[String]] = [format1, format2]

  /// The first format that has a lease.
  static let firstWithLease = 2

  /// The one row is the lease of the database; `epoch` counts how often it was taken over.
  private static let format2 = [
    """
    CREATE TABLE lease (
      epoch bigint NOT NULL,
      instance text NOT NULL,
      host bytea NOT NULL,
      expires timestamptz NOT NULL
    )
    """,
    "CREATE UNIQUE INDEX lease_one ON lease ((true))",
    "INSERT INTO lease VALUES (0, '', '', '-infinity')",
  ]

  /// The tables have the columns of SQLite's, with these additions. `epoch` counts the processes that
  /// have written a timeline; each write of entries proves it. `durable` is the last stored seq,
  /// including the tail. `indexed` is the size of the index rows.
  private static let format1 = [
    // Also `index`, the version of the index; `row`, the greatest row of a timeline so far; `probe`.
    "CREATE TABLE meta (key text PRIMARY KEY, value bigint NOT NULL)",
    """
    CREATE TABLE timeline (
      id bigint PRIMARY KEY,
      uuid text UNIQUE,
      phase smallint NOT NULL,
      header bytea NOT NULL,
      app bytea NOT NULL,
      name bytea,
      parent bigint,
      start bigint,
      shared bigint NOT NULL,
      shared_first bigint,
      started bigint NOT NULL,
      touched bigint NOT NULL,
      closed boolean NOT NULL DEFAULT false,
      lost bigint,
      why bytea,
      computing bigint,
      ended text,
      chunks bigint NOT NULL DEFAULT 0,
      entries bigint NOT NULL DEFAULT 0,
      first bigint,
      last bigint,
      t bigint,
      newest bigint,
      known boolean NOT NULL,
      bytes bigint NOT NULL DEFAULT 0,
      stored bigint NOT NULL DEFAULT 0,
      indexed bigint NOT NULL DEFAULT 0,
      epoch bigint NOT NULL,
      durable bigint NOT NULL
    ) WITH (fillfactor = 70)
    """,
    "CREATE INDEX timeline_parent ON timeline (parent) WHERE parent IS NOT NULL",
    "CREATE INDEX timeline_hidden ON timeline (id) WHERE phase <> 0",
    "CREATE TABLE gone (uuid text PRIMARY KEY, at bigint NOT NULL)",
    """
    CREATE TABLE mark (
      timeline bigint NOT NULL, seq bigint NOT NULL, text bytea NOT NULL,
      PRIMARY KEY (timeline, seq)
    )
    """,
    """
    CREATE TABLE tail (
      timeline bigint NOT NULL,
      last bigint NOT NULL,
      first bigint NOT NULL,
      t bigint NOT NULL,
      base bigint,
      newest bigint,
      known boolean NOT NULL,
      lines bytea NOT NULL,
      PRIMARY KEY (timeline, last)
    )
    """,
    """
    CREATE TABLE chunk (
      timeline bigint NOT NULL,
      last bigint NOT NULL,
      first bigint NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      ordinal bigint NOT NULL,
      t0 bigint NOT NULL,
      t1 bigint NOT NULL,
      base bigint,
      bytes bigint NOT NULL,
      indexed boolean NOT NULL,
      keyframes bytea NOT NULL,
      lines bytea NOT NULL,
      PRIMARY KEY (timeline, last)
    )
    """,
    "CREATE INDEX chunk_unindexed ON chunk (timeline, last) WHERE NOT indexed",
    // Frames are compressed, and the tail is short-lived: PostgreSQL should not compress them.
    "ALTER TABLE chunk ALTER COLUMN lines SET STORAGE EXTERNAL",
    "ALTER TABLE tail ALTER COLUMN lines SET STORAGE EXTERNAL",
    """
    CREATE TABLE posting (
      timeline bigint NOT NULL, key bigint NOT NULL, chunk bigint NOT NULL, seqs bytea NOT NULL,
      PRIMARY KEY (timeline, key, chunk)
    )
    """,
    // A name may be longer than an index allows, so the key is its SHA-256.
    """
    CREATE TABLE event (
      timeline bigint NOT NULL,
      digest bytea NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      name bytea NOT NULL,
      PRIMARY KEY (timeline, digest)
    )
    """,
    """
    CREATE TABLE name (
      event bigint NOT NULL,
      chunk bigint NOT NULL,
      timeline bigint NOT NULL,
      count bigint NOT NULL,
      entries bytea NOT NULL,
      PRIMARY KEY (event, chunk)
    )
    """,
    "CREATE INDEX name_timeline ON name (timeline, chunk)",
    """
    CREATE TABLE level (
      timeline bigint NOT NULL,
      level bigint NOT NULL,
      ordinal bigint NOT NULL,
      first bigint NOT NULL,
      last bigint NOT NULL,
      t0 bigint NOT NULL,
      t1 bigint NOT NULL,
      summary bytea NOT NULL,
      PRIMARY KEY (timeline, level, ordinal)
    )
    """,
    "INSERT INTO meta (key, value) VALUES ('row', 0)",
  ]
}
