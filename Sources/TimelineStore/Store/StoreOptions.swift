/// How a store works.
package struct StoreOptions: Sendable {
  /// The bytes of lines at which a run is sealed: compression is flat from there on, and a seek
  /// still takes a tenth of a millisecond. Default: 64 KiB.
  package var chunkBytes = 64 << 10

  /// The level of zstd. Default: 7, the first at which chunks of entries are a fifth smaller than
  /// at 1 to 5, at some 90 MB/s; unpacking does not become slower.
  package var packing: Int32 = 7

  /// The level of zstd while chunks wait to be sealed. Default: 1, at some 600 MB/s; levels 2 to 5
  /// take longer and came out larger for entries.
  package var packingInHaste: Int32 = 1

  /// The bytes of sealed runs that go into one commit. Default: 1 MiB.
  ///
  /// The postings of one path lie together, and those of different paths far apart: a chunk alone
  /// writes a page for each path that it touches, more than its own lines have; sixteen chunks write
  /// hardly more pages than one. Until then the lines are read from the tail.
  package var sealedBytes = 1 << 20

  /// The milliseconds after which sealed runs are committed however few they are. Default: 50.
  package var sealedMilliseconds = 50

  /// The threads that read, each with a connection of its own. Default: 3, so that two long
  /// searches do not keep anyone from looking.
  package var readers = 3

  /// The bytes of unpacked chunks that are kept. Default: 8 MiB.
  package var chunkCacheBytes = 8 << 20

  /// The bytes of states that are kept, as text; trees take a few times as much. Default: 8 MiB.
  package var stateCacheBytes = 8 << 20

  /// The bytes of states whose patches are checked before they are acknowledged. Default: 64 MiB,
  /// four of the largest keyframes that a recorder may send; the states of most apps have some KiB.
  package var shapeBytes = 64 << 20

  /// The bytes of the database above which a warning is given. Default: 8 GiB.
  package var softLimit: Int64 = 8 << 30

  /// The free bytes of the disk below which a warning is given. Default: 512 MiB.
  package var leastFree: Int64 = 512 << 20

  /// How long the store waits before it tries again to write, in milliseconds. Default: 1,000.
  package var retryMilliseconds = 1_000

  /// Whether what is handed in waits while the disk fails, or is refused. Default: it waits.
  package var waitsForDisk = true

  /// Runs the store's work in place of its threads; `nil` for threads. Default: `nil`.
  package var runner: (any StoreRunner)?

  /// The file system. Default: the operating system's.
  package var disk: any StoreDisk = SystemDisk()

  /// The wall clock in microseconds since 1970.
  package var now: @Sendable () -> Int64 = { wallClock() }

  /// The time since some moment, which never goes backwards.
  package var uptime: @Sendable () -> Duration = {
    let (clock, start) = (ContinuousClock(), Self.start)
    return start.duration(to: clock.now)
  }

  private static let start = ContinuousClock.now

  /// The options where none are given.
  package init() {}
}
