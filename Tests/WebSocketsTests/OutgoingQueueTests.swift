import Testing

@testable import WebSockets

@Suite("The queue of outgoing messages")
struct OutgoingQueueTests {
  private func queue(bytes: Int = 100, messages: Int = 10, fragment: Int = 4) -> OutgoingQueue {
    var options = SessionOptions()
    options.maxQueuedBytes = bytes
    options.maxQueuedMessages = messages
    options.fragmentBytes = fragment
    options.lowWaterBytes = 3
    return OutgoingQueue(options)
  }

  /// The turns of a queue until it is empty, as text.
  private func drain(_ queue: inout OutgoingQueue) -> [String] {
    var turns: [String] = []
    while true {
      switch queue.turn() {
      case .nothing: return turns
      case .close(let code, let reason):
        return turns + ["close \(code.rawValue) \(reason)"]
      case .fragment(let fragment):
        let text = String(decoding: fragment.message.bytes[fragment.range], as: UTF8.self)
        turns.append((fragment.isFirst ? "<" : "") + text + (fragment.isLast ? ">" : ""))
      }
    }
  }

  private func text(_ text: String) -> SocketMessage { .text(Array(text.utf8)) }

  @Test("returns messages in order, and long ones in fragments")
  func order() {
    var queue = queue()
    for part in ["abcdefghij", "", "abcd", "x"] {
      #expect(queue.push(text(part)).result == .accepted)
    }
    #expect(queue.bytes == 15)
    #expect(drain(&queue) == ["<abcd", "efgh", "ij>", "<>", "<abcd>", "<x>"])
    #expect(queue.bytes == 0)
    #expect(queue.count == 0)
  }

  @Test("requests one turn, not one per message")
  func turns() {
    var queue = queue()
    #expect(queue.push(text("a")).needsTurn)
    #expect(!queue.push(text("b")).needsTurn)
    _ = queue.turn()
    let answer1 = queue.wantsTurn()
    #expect(answer1)
    #expect(!queue.push(text("c")).needsTurn)
  }

  @Test("limits bytes and number, but always accepts a first message")
  func full() {
    var bytes = queue(bytes: 5)
    #expect(bytes.push(text("longer than five")).result == .accepted)
    #expect(bytes.push(text("")).result == .full)
    var number = queue(messages: 2)
    #expect(number.push(text("")).result == .accepted)
    #expect(number.push(text("")).result == .accepted)
    #expect(number.push(text("")).result == .full)
  }

  @Test("reports once that it is drained, after it was full")
  func drained() {
    var queue = queue(bytes: 8)
    #expect(queue.push(text("abcdefgh")).result == .accepted)
    let answer2 = queue.consumeDrained()
    #expect(!answer2)
    #expect(queue.push(text("i")).result == .full)
    _ = queue.turn()
    let answer3 = queue.consumeDrained()
    #expect(!answer3)
    _ = queue.turn()
    let answer4 = queue.consumeDrained()
    #expect(answer4)
    let answer5 = queue.consumeDrained()
    #expect(!answer5)
  }

  @Test("closes after the waiting messages, or after the one that has begun")
  func close() {
    var patient = queue()
    _ = patient.push(text("abcdef"))
    _ = patient.push(text("g"))
    #expect(patient.close(.normal, "done", discarding: false).isFirst)
    #expect(patient.push(text("h")).result == .closed)
    #expect(!patient.close(.goingAway, "", discarding: false).isFirst)
    #expect(drain(&patient) == ["<abcd", "ef>", "<g>", "close 1000 done"])
    var hasty = queue()
    _ = hasty.push(text("abcdef"))
    _ = hasty.push(text("g"))
    _ = hasty.turn()
    _ = hasty.close(.normal, "done", discarding: true)
    #expect(hasty.bytes == 2)
    #expect(drain(&hasty) == ["ef>", "close 1000 done"])
  }

  @Test("is empty after the end")
  func end() {
    var queue = queue()
    _ = queue.push(text("abc"))
    queue.end()
    #expect(queue.bytes == 0)
    #expect(queue.turn() == .nothing)
    #expect(queue.push(text("d")).result == .closed)
  }

  @Test("accepts thousands of messages without growing")
  func long() {
    var queue = queue(bytes: .max, messages: .max)
    var given: [String] = []
    for number in 0..<5_000 {
      _ = queue.push(text("\(number % 10)"))
      if number % 3 != 0, case .fragment(let fragment) = queue.turn() {
        given.append(String(decoding: fragment.message.bytes, as: UTF8.self))
      }
    }
    given += drain(&queue).map { String($0.dropFirst().dropLast()) }
    #expect(given == (0..<5_000).map { "\($0 % 10)" })
  }
}
