internal import Synchronization

/// A request and its pending response.
///
/// You may keep it and respond later, from any thread. If it is released without a response, the
/// client receives 500.
package final class Exchange: Sendable {
  /// Identifies an exchange and its connection.
  struct Number: Hashable, Sendable {
    let connection: UInt64
    let sequence: UInt64
  }

  package let request: Request
  /// The request's body.
  package let body: [UInt8]
  private let number: Number
  /// The loop that sends the response.
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

  /// Sends a response. Only the first call has an effect.
  package func respond(_ response: Response) {
    guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
    send(response)
  }

  private func send(_ response: Response) {
    let (request, number) = (request, number)
    loop.onLoop { $0.answer(number, request, response) }
  }
}
