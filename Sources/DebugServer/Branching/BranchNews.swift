package import Timelines

/// What is told of a branch that is being computed.
package enum BranchNews: Sendable {
  /// More of its entries are durable.
  case grown(TimelineID, BranchProgress)
  /// It says something else than before, such as that it waits for a host.
  case changed(TimelineID, BranchProgress)
  /// Nothing more of it will be computed.
  case finished(TimelineID, BranchProgress)

  /// The branch.
  package var branch: TimelineID {
    switch self {
    case .grown(let branch, _), .changed(let branch, _), .finished(let branch, _): branch
    }
  }

  /// How far it has come.
  package var progress: BranchProgress {
    switch self {
    case .grown(_, let progress), .changed(_, let progress), .finished(_, let progress): progress
    }
  }
}

/// How far a branch has come.
package struct BranchProgress: Hashable, Sendable {
  /// How many of its own entries are durable.
  package var done: Int64
  /// How many it will have.
  package var of: Int64
  /// What is being done, or why it has ended, in words.
  package var message: String?
  /// Whether it waits for a host.
  package var waits = false

  /// So far.
  package init(done: Int64, of: Int64, message: String? = nil) {
    self.done = done
    self.of = of
    self.message = message
  }
}

/// What the hub wants of whoever computes branches.
package enum BranchWork: Sendable {
  /// Tell at once how far a branch has come.
  case tell(TimelineID)
  /// End a branch with what it has.
  case cancel(TimelineID)
  /// Let go of a branch that was deleted.
  case forget(TimelineID)
  /// The hosts are others than before.
  case hostsChanged
}
