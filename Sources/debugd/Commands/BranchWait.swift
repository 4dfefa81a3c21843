import DebugServer
import JSONCore
import Timelines
import Wire

/// Waits until a branch is computed, and shows what keeps it from going on.
struct BranchWait: Sendable {
  private let inquiry: Inquiry
  private let branch: TimelineID
  private let terminal: Terminal

  /// Nothing is waited for yet.
  init(_ inquiry: Inquiry, _ branch: TimelineID) {
    (self.inquiry, self.branch) = (inquiry, branch)
    terminal = inquiry.terminal
  }

  /// Waits; a signal ends the wait, and the branch is computed all the same.
  ///
  /// - Returns: why the branch ends early, as the host says it; `nil` if it does not.
  func callAsFunction(_ news: AsyncStream<ToInspector>) async throws -> String? {
    do {
      return try await Interruptible.run { try await wait(news, withoutHost: complain) }
    } catch is Interruptible.Interrupted {
      clearLine()
      throw CommandError(
        """
        No longer waiting for the branch \(branch.text), which is computed all the same. To see how \
        far it is, run: debugd show \(name)
        """)
    }
  }

  /// The branch, and where it is, for a command that is suggested.
  private var name: String {
    "\(branch.text.prefix(8))\(ServeSettings.dataOption(inquiry.arguments))"
  }

  private func complain(_ reason: String) {
    clearLine()
    terminal.complain(
      """
      Waiting for a host: \(Escaped.text(reason))
      The branch goes on as soon as there is one. To stop waiting, press Ctrl-C; to give the \
      branch up, run: debugd delete \(name)
      """)
  }

  /// Waits without a signal's end: for callers with their own cancellation.
  ///
  /// - Parameter withoutHost: receives why the branch waits for a host; an error ends the wait.
  func wait(
    _ news: AsyncStream<ToInspector>, withoutHost: @Sendable (String) throws -> Void
  ) async throws -> String? {
    // The news of a backend do not end when their reader is canceled; these do.
    let (stream, continuation) = AsyncStream.makeStream(of: ToInspector.self)
    Task {
      for await message in news { continuation.yield(message) }
      continuation.finish()
    }
    return try await follow(stream, withoutHost)
  }

  private func follow(
    _ news: AsyncStream<ToInspector>, _ withoutHost: @Sendable (String) throws -> Void
  ) async throws -> String? {
    let watch = FromInspector.Watch { $0.timeline = branch }
    _ = try await inquiry.asking.ask(watch)
    var summary = try await inquiry.summary(of: branch)
    var reason: String?
    var end: String?
    if summary.computing == nil, summary.ended == nil { return nil }
    for await message in news {
      switch message {
      case .timeline(let update) where update.timeline.header["timeline"]?.string == branch.text:
        summary = update.timeline
        guard summary.computing == nil else { continue }
        clearLine()
        return summary.ended == nil ? nil : end
      case .live(let live) where live.timeline == branch:
        guard terminal.isInteractive, let last = summary.computing else { continue }
        terminal.write(Array("\r\u{1B}[Kcomputed \(live.durable ?? live.last) of \(last)".utf8))
      case .progress(let progress):
        if progress.ends {
          end = progress.message
          // If it had ended before it was watched, nothing but its reason comes.
          if summary.computing == nil { return end }
        }
        guard progress.waits, let message = progress.message, message != reason else { continue }
        reason = message
        try withoutHost(message)
      case .gone(let gone) where gone.timeline == branch:
        clearLine()
        throw CommandError("The branch was deleted while it was computed.")
      case .timeline, .live, .gone, .challenge, .welcome, .timelines, .control, .entries, .state,
        .raw, .diff, .changes, .find, .column, .series, .fork, .done, .import, .export, .verify,
        .compare, .minimize, .explore, .explain, .growth, .invariants, .source, .filters, .status,
        .prune, .check, .sessions, .invite, .hosts, .notice, .manifest, .fetch, .offer, .error:
        continue
      }
    }
    try Task.checkCancellation()
    throw CommandError(
      "The connection to the daemon ended. The branch is computed when the daemon runs again.")
  }

  private func clearLine() {
    if terminal.isInteractive { terminal.write(Array("\r\u{1B}[K".utf8)) }
  }
}
