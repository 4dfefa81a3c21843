import DebugServer
import JSONCore
import Timelines
import WebSockets
import Wire

/// A process that writes to a timeline which another one writes: a copy of an app's memory that was
/// started again would. It sends nothing but what the timeline has already.
///
/// Safe: the simulation has one thread.
final class SecondWriter: @unchecked Sendable {
  private let world: World
  private let name: String
  private let timeline: TimelineID
  private var end: SocketEnd?

  init(_ world: World, of machine: ScriptedMachine) {
    self.world = world
    name = "\(machine.name)'s copy"
    timeline = machine.timeline
    guard let header = machine.header, let first = machine.book.states.first else { return }
    end = world.connect(name, .recorder, .socket, SessionOptions(), isHonest: false) {
      [weak self] in
      self?.send(.hello(FromRecorder.Hello { $0.run = "copy" }))
    }
    end?.owner.received = { [weak self] in self?.received($0, header, first) }
    world.scheduler.after(5_000_000) { [weak self] in self?.end?.die() }
  }

  private func send(_ message: FromRecorder) { _ = end?.send(.text(Envelope(message).encoded())) }

  private func received(_ message: SocketMessage, _ header: Header, _ first: ModelState) {
    guard case .text(let bytes) = message,
      let envelope = try? Envelope<ToRecorder>(reading: bytes, maxMessage: 64 << 20)
    else { return }
    switch envelope.body {
    case .welcome:
      var draft = EntryDraft(seq: 0, t: 0)
      draft.state = Array(first.text.utf8)[...]
      guard let entry = try? JSONSlice(validating: draft.line) else {
        return world.fail("one-writer", "\(name) cannot make an entry.")
      }
      send(.open(FromRecorder.Open { $0.header = header.line }))
      send(
        .append(
          FromRecorder.Append {
            $0.timeline = timeline
            $0.entries = [entry]
          }))
    case .ack: world.fail("one-writer", "\(name) is let in while the app itself is connected.")
    default: break
    }
  }
}
