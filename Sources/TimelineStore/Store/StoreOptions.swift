/// How a store works.
package struct StoreOptions: Sendable {
  /// The bytes of lines at which a run is sealed: compression is flat from there on, and a seek
  /// still takes a tenth of a millisecond. Default: 64 KiB.
  package var chunkBytes = 64 << 10

  /// The level of zstd. Default: 3, from where on chunks of this size hardly become smaller.
  package var packing: Int32 = 3

  /// The threads that read, each with a connection of its own. Default: 3, so that two long
  /// searches do not keep anyone from looking.
  package var readers = 3

  /// The bytes of unpacked chunks that are kept. Default: 8 MiB.
  package var chunkCacheBytes = 8 << 20

  /// The bytes of states that are kept, as text; trees take a few times as much. Default: 8 MiB.
  package var stateCacheBytes = 8 << 20

  /// How long the store waits before it tries again to write, in milliseconds. Default: 1,000.
  package var retryMilliseconds = 1_000

  /// The options where none are given.
  package init() {}
}
