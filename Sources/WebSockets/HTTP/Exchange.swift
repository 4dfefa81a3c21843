internal import Synchronization

/// A request that waits for its answer.
///
/// It may be kept and answered later, from any thread; one that is dropped without an answer is
/// answered with 500. To a client that has gone the answer is not sent.
package final class Exchange: Sendable {
  /// Which one of which connection.
  struct Number: Hashable, Sendable {
    let connection: UInt64
    let place: UInt64
  }

  /// What was asked.
  package let request: Request
  /// The request's body.
  package let body: [UInt8]
  private let number: Number
  /// Where it is to be answered from, if it matters.
  package let loop: Loop
  private let isAnswered = Atomic(false)

  init(_ request: Request, body: [UInt8], number: Number, loop: Loop) {
    self.request = request
    self.body = body
    self.number = number
    self.loop = loop
  }

  deinit {
    if !isAnswered.load(ordering: .relaxed) {
      send(.text(500, "The server did not answer this request."))
    }
  }

  /// Answers. Only the first answer counts.
  package func respond(_ response: Response) {
    guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
    send(response)
  }

  private func send(_ response: Response) {
    let (request, number) = (request, number)
    loop.onLoop { $0.answer(number, request, response) }
  }
}
