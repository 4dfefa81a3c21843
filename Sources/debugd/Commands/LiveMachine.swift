import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

/// A machine of a running app that a command drives.
struct LiveMachine {
  struct Hold {
    /// What commands carry.
    let lease: String
    /// What becomes of the app's own events.
    let policy: HoldPolicyWord
    /// What ends it, where it is held in the foreground.
    let signals: SignalStream?
  }

  let timeline: TimelineID

  /// What the user calls it, fit for a terminal.
  let shownName: String

  /// What names it in a command that is suggested.
  let shellName: String

  private let inquiry: Inquiry

  /// The machine that the first operand names: the live one before all that have ended.
  init(_ inquiry: Inquiry) async throws {
    self.inquiry = inquiry
    guard let word = inquiry.arguments.operand(0) else {
      throw inquiry.arguments.error("\(inquiry.arguments.command.name) needs MACHINE.")
    }
    shownName = Escaped.text(word)
    if let live = try? await inquiry.asking.timeline(meaning: word, live: true) {
      timeline = live
    } else {
      timeline = try await inquiry.timeline(named: word)
    }
    shellName = ShellWord.text(word) ?? timeline.text
  }

  /// Asks for something that is answered by `done`.
  func ask(_ request: FromInspector) async throws -> ToInspector.Done {
    do {
      return try await inquiry.asking.ask(request) {
        if case .done(let done) = $0 { done } else { nil }
      }
    } catch BackendError.refused(let error)
      where error.code == .notFound && error.message.hasPrefix("No connected app writes ")
    {
      throw CommandError(
        Escaped.text(error.message) + " To see live machines, run: debugd list --live"
          + ServeSettings.dataOption(inquiry.arguments))
    }
  }

  /// The lease of another command that holds it; nil when none does.
  func join() async throws -> String? {
    let request = FromInspector.Hold {
      $0.timeline = timeline
      $0.join = true
    }
    do {
      return try await ask(.hold(request)).lease
    } catch BackendError.refused(let error) where error.code == .conflict {
      return nil
    }
  }

  /// Holds it, as the options say.
  func hold() async throws -> Hold {
    let arguments = inquiry.arguments
    let policy = arguments.value("policy").flatMap { HoldPolicyWord(rawValue: $0) } ?? .queue
    let request = FromInspector.Hold {
      $0.timeline = timeline
      $0.policy = policy
      $0.take = arguments.has("take")
    }
    let done: ToInspector.Done
    do {
      done = try await ask(.hold(request))
    } catch BackendError.refused(let error)
      where error.code == .conflict && !arguments.has("take")
    {
      let message = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
      throw CommandError("\(Escaped.text(message)): --take")
    }
    guard arguments.command.name == "hold" || arguments.has("stay") else {
      return Hold(lease: done.lease ?? "", policy: policy, signals: nil)
    }
    // Before the user reads that it is held, and can end that.
    let signals = await SignalStream([SIGINT, SIGTERM, SIGHUP])
    report(done, "held")
    return Hold(lease: done.lease ?? "", policy: policy, signals: signals)
  }

  /// Releases it, so that it continues.
  func release(_ lease: String) async throws {
    let request = FromInspector.Resume {
      $0.timeline = timeline
      $0.lease = lease
    }
    report(try await ask(.resume(request)), "resumed")
  }

  /// Makes it do something: with the lease of the command that holds it, else held for that moment, or
  /// for longer with `--stay`.
  func drive(
    _ word: String, _ request: (_ lease: String) -> FromInspector
  ) async throws -> ExitCode {
    let arguments = inquiry.arguments
    if !arguments.has("take"), !arguments.has("stay"), let lease = try await join() {
      report(try await ask(request(lease)), word)
      return .done
    }
    let hold = try await hold()
    do {
      report(try await ask(request(hold.lease)), word)
    } catch {
      // The end of the connection releases it as well, so the first error is the one to report.
      _ = try? await ask(
        .resume(
          FromInspector.Resume {
            $0.timeline = timeline
            $0.lease = hold.lease
          }))
      throw error
    }
    if arguments.has("stay") { return try await keep(hold, seconds: nil) }
    _ = try await ask(
      .resume(
        FromInspector.Resume {
          $0.timeline = timeline
          $0.lease = hold.lease
        }))
    return .done
  }

  /// The event that an entry recorded.
  func event(of seq: Int64) async throws -> JSONSlice {
    try await inquiry.event(of: seq, in: timeline)
  }

  /// Reports what was done, and after which entry.
  func report(_ done: ToInspector.Done, _ word: String) {
    if inquiry.arguments.has("json") {
      var members = JSON.Object()
      members["did"] = .string(word)
      members["timeline"] = .string(timeline.text)
      if let seq = done.seq { members["seq"] = .number(JSON.Number(seq)) }
      inquiry.printJSON(.object(members))
    } else {
      let place = done.seq.map { word == "held" ? " after entry \($0)" : ": entry \($0)" } ?? ""
      inquiry.terminal.print("\(word)  \(shownName)\(word == "resumed" ? "" : place)")
    }
  }
}

// Holding in the foreground.
extension LiveMachine {
  private enum Event: Sendable {
    /// A signal came, or the time is over.
    case ends
    /// The lease was not renewed, and why.
    case lost(String)
    /// The daemon reports who controls it.
    case control(ToInspector.Control)
  }

  /// Three times within the life of a lease, so that one renewal may go wrong.
  private static let renewal = Duration.seconds(ProtocolLimits().leaseSeconds / 3)

  /// Holds it until a signal, a time, or until another inspector takes it over.
  func keep(_ hold: Hold, seconds: Int64?) async throws -> ExitCode {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let news = await inquiry.asking.news()
    var tasks = [
      Task {
        guard let signals = hold.signals else { return }
        for await _ in signals.numbers { continuation.yield(.ends) }
      },
      Task { [timeline] in
        for await message in news {
          guard case .control(let control) = message, control.timeline == timeline else { continue }
          continuation.yield(.control(control))
        }
        continuation.yield(.lost("The connection to the daemon ended."))
      },
      Task { await renew(hold, continuation) },
    ]
    if let seconds {
      tasks.append(
        Task {
          try? await Task.sleep(for: .seconds(seconds))
          continuation.yield(.ends)
        })
    }
    // What never ends by itself ends with the connection.
    defer { for task in tasks { task.cancel() } }
    return try await follow(events, hold)
  }

  private func renew(
    _ hold: Hold, _ events: AsyncStream<Event>.Continuation
  ) async {
    let request = FromInspector.Hold {
      $0.timeline = timeline
      $0.policy = hold.policy
      $0.lease = hold.lease
    }
    while true {
      do { try await Task.sleep(for: Self.renewal) } catch { return }
      do {
        _ = try await ask(.hold(request))
      } catch {
        events.yield(.lost("\(error)"))
        return
      }
    }
  }

  private func follow(_ events: AsyncStream<Event>, _ hold: Hold) async throws -> ExitCode {
    var shown: Int64?
    for await event in events {
      switch event {
      case .ends:
        try await release(hold.lease)
        return .done
      case .lost(let why):
        inquiry.terminal.complain("\(shownName) is no longer held: \(Escaped.text(why))")
        return .failed
      case .control(let control) where !control.held:
        let why = control.why ?? "It was released."
        inquiry.terminal.complain("\(shownName) continues by itself: \(Escaped.text(why))")
        // Another command of the same person may end it; everything else is a loss.
        return control.why == nil || control.why?.hasPrefix("Another command") == true
          ? .done : .failed
      case .control(let control) where !control.yours:
        let name = control.holder ?? "another inspector"
        inquiry.terminal.complain("\(shownName) was taken over by \(Escaped.text(name)).")
        return .failed
      case .control(let control):
        guard let queued = control.queued, queued != shown, queued > 0 || shown != nil else {
          continue
        }
        shown = queued
        if !inquiry.arguments.has("json") {
          inquiry.terminal.print("waiting  \(queued) of the app's own events")
        }
      }
    }
    return .failed
  }
}
