/// The tables, as an append-only list of migrations.
///
/// `PRAGMA user_version` is the number of migrations that were applied to a database.
enum Schema {
  /// The format of this build.
  static var current: Int { migrations.count }

  /// Each migration leads from the format of its index to the next one.
  static let migrations: [[String]] = [format1]

  private static let format1 = [
    // Properties of the database: `index`, the version of the index.
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID
    """,
    // `phase`: 0 kept, 1 being imported (hidden; removed when the store is opened), 2 being deleted
    // (hidden, without `uuid`; its rows are removed step by step). `parent`, `start`: a branch
    // reads the parent's entries before `start` as its own; `shared` is their number, `sharedFirst`
    // the seq of the first one. `entries` to `known` cover sealed entries; add the tail's rows.
    // `chunks` is the next chunk's ordinal. `newest` is the seq of the newest keyframe; `known`,
    // whether the state after the last entry is known.
    """
    CREATE TABLE timeline (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uuid TEXT UNIQUE,
      phase INTEGER NOT NULL,
      header BLOB NOT NULL,
      app TEXT NOT NULL,
      name TEXT,
      parent INTEGER,
      start INTEGER,
      shared INTEGER NOT NULL DEFAULT 0,
      sharedFirst INTEGER,
      started INTEGER NOT NULL,
      touched INTEGER NOT NULL,
      closed INTEGER NOT NULL DEFAULT 0,
      lost INTEGER,
      why TEXT,
      computing INTEGER,
      ended TEXT,
      chunks INTEGER NOT NULL DEFAULT 0,
      entries INTEGER NOT NULL DEFAULT 0,
      first INTEGER,
      last INTEGER,
      t INTEGER,
      newest INTEGER,
      known INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      stored INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "CREATE INDEX timeline_parent ON timeline(parent) WHERE parent IS NOT NULL",
    // Ids of deleted timelines, so that a recorder that continues one is notified.
    """
    CREATE TABLE gone (uuid TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE mark (
      timeline INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (timeline, seq)
    ) STRICT, WITHOUT ROWID
    """,
    // Runs that are not sealed yet, as plain lines. `t` and `known` are for the last entry; `base`
    // is the newest keyframe before `first`, `newest` the newest one up to `last`.
    """
    CREATE TABLE tail (
      id INTEGER PRIMARY KEY,
      timeline INTEGER NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      t INTEGER NOT NULL,
      base INTEGER,
      newest INTEGER,
      known INTEGER NOT NULL,
      lines BLOB NOT NULL
    ) STRICT
    """,
    "CREATE INDEX tail_place ON tail(timeline, last)",
    // Sealed runs. `t0` and `t1` are the first and last entry's; `base` is the newest keyframe
    // before `first`; `bytes` is the size of the lines, `lines` their zstd frame with its checksum;
    // `keyframes` holds for each keyframe the distance in entries and bytes from the previous one,
    // as varints; `indexed` is whether there are index rows. An `id` is never used again, so that
    // it can be the key of a cache.
    """
    CREATE TABLE chunk (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      timeline INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      t0 INTEGER NOT NULL,
      t1 INTEGER NOT NULL,
      base INTEGER,
      bytes INTEGER NOT NULL,
      indexed INTEGER NOT NULL,
      keyframes BLOB NOT NULL,
      lines BLOB NOT NULL
    ) STRICT
    """,
    "CREATE UNIQUE INDEX chunk_place ON chunk(timeline, last)",
    "CREATE INDEX chunk_unindexed ON chunk(timeline, last) WHERE indexed = 0",
    // The index. Everything from here on can be rebuilt from `chunk`. `chunk` in these tables is
    // the chunk's first seq, so that rows of one path are in the order of the entries. `key` is a
    // hash of a path and of the way in which entries affected it.
    """
    CREATE TABLE posting (
      timeline INTEGER NOT NULL,
      key INTEGER NOT NULL,
      chunk INTEGER NOT NULL,
      seqs BLOB NOT NULL,
      PRIMARY KEY (timeline, key, chunk)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE event (
      id INTEGER PRIMARY KEY,
      timeline INTEGER NOT NULL,
      name TEXT NOT NULL
    ) STRICT
    """,
    "CREATE UNIQUE INDEX event_place ON event(timeline, name)",
    """
    CREATE TABLE name (
      event INTEGER NOT NULL,
      chunk INTEGER NOT NULL,
      count INTEGER NOT NULL,
      entries BLOB NOT NULL,
      PRIMARY KEY (event, chunk)
    ) STRICT, WITHOUT ROWID
    """,
    // Level 0 has one row per chunk, level n + 1 one row for 16 whose ordinals differ only in the
    // last four bits.
    """
    CREATE TABLE level (
      timeline INTEGER NOT NULL,
      level INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      t0 INTEGER NOT NULL,
      t1 INTEGER NOT NULL,
      summary BLOB NOT NULL,
      PRIMARY KEY (timeline, level, ordinal)
    ) STRICT, WITHOUT ROWID
    """,
  ]
}
