internal import CSQLite
internal import CZstd

/// The C libraries that keep and pack timelines.
public enum StoreLibraries {
  /// The version of SQLite found at run time.
  public static var sqlite: String { String(cString: sqlite3_libversion()) }

  /// The version of zstd found at run time.
  public static var zstd: String { String(cString: ZSTD_versionString()) }
}
