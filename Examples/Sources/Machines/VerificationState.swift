import StatesCore

/// Verifies a phone number: a code by message, a countdown until the next one, three attempts.
package struct VerificationState: Reducible, Codable, Sendable {
  /// The step of the verification.
  package enum Step: Codable, Equatable, Sendable {
    case enteringNumber
    case requestingCode(number: String)
    case enteringCode(number: String, secondsLeft: Int, attempts: Int)
    case checking(number: String, code: String, attempts: Int)
    case verified(number: String)
    case locked
  }

  package private(set) var step = Step.enteringNumber
  package private(set) var messages = Messages()

  package init() {}

  package enum Event: Codable, Equatable, Sendable {
    case submittedNumber(String)
    case codeSent
    case ticked
    case submittedCode(String)
    case checked(isRight: Bool)
    case showedMessage(ticket: Int)
  }

  package static func reduce(state: VerificationState, event: Event) -> VerificationState {
    var result = state
    switch (state.step, event) {
    case (.enteringNumber, .submittedNumber(let number)) where number.count >= 5:
      result.step = .requestingCode(number: number)
    case (.enteringNumber, .submittedNumber):
      result.messages.add("That number is too short.")
    case (.requestingCode(let number), .codeSent):
      result.step = .enteringCode(number: number, secondsLeft: 30, attempts: 0)
    case (.enteringCode(let number, let seconds, let attempts), .ticked) where seconds > 0:
      result.step = .enteringCode(number: number, secondsLeft: seconds - 1, attempts: attempts)
    case (.enteringCode(let number, _, _), .ticked):
      result.step = .requestingCode(number: number)
    case (.enteringCode(let number, _, let attempts), .submittedCode(let code)):
      result.step = .checking(number: number, code: code, attempts: attempts)
    case (.checking(let number, _, _), .checked(isRight: true)):
      result.step = .verified(number: number)
      result.messages.add("Welcome.")
    case (.checking(let number, _, let attempts), .checked(isRight: false)):
      result.messages.add("That code is wrong.")
      result.step =
        attempts == 2
        ? .locked : .enteringCode(number: number, secondsLeft: 30, attempts: attempts + 1)
    case (_, .showedMessage(let ticket)):
      result.messages.acknowledge(ticket)
    default: break
    }
    return result
  }

  package static var outputs: Outputs<VerificationState> {
    Output("isBusy", \.isBusy)
    Output("countdown", \.countdown)
    Output("requestCode", \.numberToAsk)
    Output("checkCode", \.codeToCheck)
    Output("showMessage", \.messages.first)
  }

  /// Whether the screen is waiting for the server.
  package var isBusy: Bool { numberToAsk != nil || codeToCheck != nil }

  /// The seconds until another code can be requested.
  package var countdown: Int? {
    if case .enteringCode(_, let seconds, _) = step { seconds } else { nil }
  }

  /// The number to send a code to.
  package var numberToAsk: String? {
    if case .requestingCode(let number) = step { number } else { nil }
  }

  /// The code for the server to check.
  package var codeToCheck: String? {
    if case .checking(_, let code, _) = step { code } else { nil }
  }
}

/// Messages to show once each, in order.
package struct Messages: Codable, Equatable, Sendable {
  /// A message with its ticket.
  package struct Item: Codable, Equatable, Sendable {
    package let ticket: Int
    package let text: String
  }

  private(set) var items: [Item] = []
  private var nextTicket = 0

  /// The next message to show.
  package var first: Item? { items.first }

  mutating func add(_ text: String) {
    items.append(Item(ticket: nextTicket, text: text))
    nextTicket += 1
  }

  mutating func acknowledge(_ ticket: Int) { items.removeAll { $0.ticket == ticket } }
}
