internal import CSQLite
internal import CZstd

/// The C libraries that store and compress timelines.
public enum StoreLibraries {
  /// The version of SQLite at run time.
  public static var sqlite: String { String(cString: sqlite3_libversion()) }

  /// The version of zstd at run time.
  public static var zstd: String { String(cString: ZSTD_versionString()) }
}
