internal import Reruns
internal import Timelines
internal import Wire

/// The inspector that made a branch and follows its progress.
struct BranchFollower: Sendable {
  /// The inspector.
  var peer: PeerID
  var request: RequestID
}

extension Hub {
  /// Registers a new branch, whose maker follows its progress.
  mutating func made(
    _ branch: ToInspector.Fork, by fork: FromInspector.Fork, id: RequestID, of peer: PeerID
  ) {
    changed(branch.timeline)
    // The parent has one branch more.
    changed(fork.timeline)
    if inspectors[peer] != nil {
      followers[branch.timeline] = BranchFollower(peer: peer, request: id)
      inspectors[peer]?.computing[id] = branch.timeline
    }
    actions.append(.branch(.report(branch.timeline)))
    if let text = settings.branchNotice {
      settings.branchNotice = nil
      var notice = NoticeMessage()
      notice.message = text
      notify(notice)
    }
  }

  mutating func branch(_ news: BranchNews) {
    let branch = news.branch
    grown(branch)
    if let follower = followers[branch] {
      let progress = ToInspector.Progress {
        $0.done = news.progress.done
        $0.of = news.progress.of
        $0.message = news.progress.message
        $0.waits = news.progress.waits
        if case .finished = news { $0.ends = true }
      }
      // Each progress replaces the one before it, so one that would only wait is dropped; the last
      // one never is.
      if progress.ends || hasRoom(follower.peer) {
        send(.progress(progress), re: follower.request, to: follower.peer)
      }
    }
    guard case .finished = news else { return }
    changed(branch)
    unfollow(branch)
  }

  private func hasRoom(_ peer: PeerID) -> Bool {
    inspectors[peer].map { $0.queued <= settings.limits.queuedBytes } ?? false
  }

  /// Ends the computation of a branch on request.
  mutating func abandon(_ branch: TimelineID, by peer: PeerID) {
    actions.append(.branch(.cancel(branch)))
  }

  /// Forgets a branch that was deleted.
  mutating func forget(branch: TimelineID) {
    unfollow(branch)
    actions.append(.branch(.forget(branch)))
  }

  private mutating func unfollow(_ branch: TimelineID) {
    guard let follower = followers.removeValue(forKey: branch) else { return }
    inspectors[follower.peer]?.computing[follower.request] = nil
  }

  /// Removes an inspector that left; its branches continue.
  mutating func unfollow(_ peer: PeerID) {
    for (branch, follower) in followers where follower.peer == peer { followers[branch] = nil }
  }
}
