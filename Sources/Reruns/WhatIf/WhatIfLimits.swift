/// How large the branches of a file can get.
package struct WhatIfLimits: Sendable {
  /// The maximum bytes of all branches together: they are kept until the file is complete.
  package var bytes = 64 << 20

  /// The maximum bytes of the events of one branch. They go to the host in one message, far below its
  /// limit.
  package var requestBytes = 2 << 20

  /// The recording's entries after the one around which branches are computed that take part in them.
  package var followers: Int64 = 500

  package init() {}
}
