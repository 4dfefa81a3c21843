import StatesCore

/// A simulated user who verifies a phone number, and the server that checks it.
@MainActor
package func verify(_ machine: Machine<VerificationState>, _ pace: Pace) async {
  machine.react(to: \.messages.first) { [weak machine] message in
    machine?.send(.showedMessage(ticket: message.ticket))
  }
  await pace.rest()
  machine.send(.submittedNumber("12"))
  await pace.rest()
  machine.send(.submittedNumber("+49 151 23456789"))
  await pace.rest(0.5)
  machine.send(.codeSent)
  for code in ["0000", "1234"] {
    for _ in 0..<3 + pace.pick(4) {
      await pace.rest(0.5)
      machine.send(.ticked)
    }
    machine.send(.submittedCode(code))
    await pace.rest(0.5)
    machine.send(.checked(isRight: code == "1234"))
  }
}
