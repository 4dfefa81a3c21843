package import Timelines

/// A report about a branch that is being computed.
package enum BranchNews: Sendable {
  /// More of its entries are durable.
  case grown(TimelineID, BranchProgress)
  /// Its status text has changed, such as that it waits for a host.
  case changed(TimelineID, BranchProgress)
  /// Nothing more of it will be computed.
  case finished(TimelineID, BranchProgress)

  package var branch: TimelineID {
    switch self {
    case .grown(let branch, _), .changed(let branch, _), .finished(let branch, _): branch
    }
  }

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
  /// The current activity, or why it has ended, as a sentence.
  package var message: String?
  /// Whether it waits for a host.
  package var waits = false

  package init(done: Int64, of: Int64, message: String? = nil) {
    self.done = done
    self.of = of
    self.message = message
  }
}

/// Work that the hub requests from the branch service.
package enum BranchWork: Sendable {
  /// Report the progress of a branch now.
  case report(TimelineID)
  /// End a branch with the entries it has.
  case cancel(TimelineID)
  /// Forget a branch that was deleted.
  case forget(TimelineID)
  case hostsChanged
}
