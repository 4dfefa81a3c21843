/// The limits of a connection.
package struct ProtocolLimits: Hashable, Sendable {
  /// The bytes of a message from a recorder.
  ///
  /// A keyframe with a state of several megabytes fits; a larger one is sent thinned, with
  /// `omitted`. Default: 16 MiB.
  package var recorderMessage = 16 << 20

  /// The bytes of a message from an inspector.
  ///
  /// The longest that it needs is an edit script or a part of a file. Default: 1 MiB.
  package var inspectorMessage = 1 << 20

  /// The bytes of a message before `welcome`.
  ///
  /// The longest `hello` names a thousand timelines, which takes 40 KB; an unauthenticated client
  /// gets no more memory. Default: 64 KiB.
  package var firstMessage = 64 << 10

  /// The bytes of `append` that a recorder may send before more credit comes.
  ///
  /// A quarter of the largest message: enough to keep a loopback connection busy through a slow
  /// commit, little enough that 200 recorders cannot fill the memory. Default: 4 MiB.
  package var credit = 4 << 20

  /// The milliseconds after which a batch is sent, however small.
  ///
  /// Half a frame on a screen, which is invisible; a thousand events a second make 125 messages.
  /// Default: 8.
  package var batchMilliseconds = 8

  /// The bytes at which a batch is sent. Larger batches gain nothing. Default: 256 KiB.
  package var batchBytes = 256 << 10

  /// The entries at which a batch is sent, so that one commit stays short. Default: 1,000.
  package var batchEntries = 1_000

  /// The bytes beyond which `entries` cuts a value. What a row shows is shorter. Default: 1 KiB.
  package var cutBytes = 1 << 10

  /// The buckets of an overview. Four for each pixel of a wide screen. Default: 16,384.
  package var overviewBuckets = 16_384

  /// The results of one `entries`, `find`, or `changes`, clipped; `next` or `more` shows that there
  /// are more. A screen shows 40. Default: 1,000.
  package var windowEntries = 1_000

  /// The bytes of a part of a file. Base64 makes them a third longer, and they still fit into a
  /// message of an inspector. Default: 512 KiB.
  package var partBytes = 512 << 10

  /// The timelines that one recorder may have open, and that `hello` may name. Each takes memory in
  /// the daemon; with more machines, the recorder parks timelines. Default: 1,000.
  package var timelines = 1_000

  /// The bytes of the headers of all timelines that one recorder has open. A thousand of them must
  /// not fill the memory. Default: 16 MiB.
  package var headersOfRecorder = 16 << 20

  /// The seconds within which `hello` must authenticate the peer. Default: 5.
  package var authenticationSeconds = 5

  /// The seconds for which a lease is valid without renewal. Default: 15.
  package var leaseSeconds = 15

  package init() {}
}
