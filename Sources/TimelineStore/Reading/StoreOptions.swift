package struct StoreOptions: Sendable {
  /// The bytes of lines at which a run is sealed: larger chunks hardly compress better, and a seek
  /// still takes a tenth of a millisecond. Default: 64 KiB.
  package var chunkBytes = 64 << 10

  /// The level of zstd. Default: 7, the first level at which chunks of entries are a fifth smaller
  /// than at 1 to 5, at about 90 MB/s; decompression is not slower.
  package var packing: Int32 = 7

  /// The level of zstd while there is a backlog. Default: 1, at about 600 MB/s; levels 2 to 5 are
  /// slower, and their output was larger for entries.
  package var packingInHaste: Int32 = 1

  /// The bytes of sealed runs in one commit. Default: 1 MiB.
  ///
  /// The postings of one path are adjacent, and those of different paths far apart: a single chunk
  /// writes a page for each path that it affects, more than its own lines; sixteen chunks write
  /// hardly more pages than one. Until then the lines are read from the tail.
  package var sealedBytes = 1 << 20

  /// The milliseconds after which sealed runs are committed however few they are. Default: 50.
  package var sealedMilliseconds = 50

  /// The reading threads, each with its own connection. Default: 3, so that two long searches do
  /// not block other queries.
  package var readers = 3

  /// The maximum bytes of cached decompressed chunks. Default: 8 MiB.
  package var chunkCacheBytes = 8 << 20

  /// The maximum bytes of cached states, as text; trees take a few times as much. Default: 8 MiB.
  package var stateCacheBytes = 8 << 20

  /// The maximum bytes of states whose patches are checked before they are acknowledged. Default:
  /// 64 MiB, four of the largest keyframes that a recorder may send; the states of most apps have
  /// some KiB.
  package var shapeBytes = 64 << 20

  /// The bytes of the database above which a warning is given. Default: 8 GiB.
  package var softLimit: Int64 = 8 << 30

  /// The free bytes of the disk below which a warning is given. Default: 512 MiB.
  package var leastFree: Int64 = 512 << 20

  /// The milliseconds between two attempts to resume writing. Default: 1,000.
  package var retryMilliseconds = 1_000

  /// Whether submissions wait while the disk fails, or are refused. Default: they wait.
  package var waitsForDisk = true

  /// Runs the store's work instead of its threads; `nil` for threads. Default: `nil`.
  package var runner: (any StoreRunner)?

  /// The file system. Default: the operating system's.
  package var disk: any StoreDisk = SystemDisk()

  /// The wall clock in microseconds since 1970.
  package var now: @Sendable () -> Int64 = { wallClock() }

  /// A monotonic clock.
  package var uptime: @Sendable () -> Duration = {
    let (clock, start) = (ContinuousClock(), Self.start)
    return start.duration(to: clock.now)
  }

  private static let start = ContinuousClock.now

  package init() {}
}
