@testable internal import Timelines
// The messages have package access, so this imports them like a test.
@testable internal import Wire

extension FuzzTarget {
  /// Any frame, in either direction, is refused with an answer that can be sent, or is a message that
  /// does not change when written and read again.
  static let messages = FuzzTarget(name: "messages") { bytes in
    check(Envelope<FromRecorder>.self, bytes)
    check(Envelope<ToRecorder>.self, bytes)
    check(Envelope<FromInspector>.self, bytes)
    check(Envelope<ToInspector>.self, bytes)
    guard let frame = try? OverviewFrame(reading: bytes) else { return }
    let written = frame.encoded()
    guard let again = try? OverviewFrame(reading: written) else {
      return promise(false, "an overview that was written is read")
    }
    promise(again.columns == frame.columns, "an overview's numbers are the same once read again")
    promise(again.encoded() == written, "an overview is the same once read again")
  }

  private static func check<Body>(_ type: Envelope<Body>.Type, _ bytes: [UInt8]) {
    let limit = ProtocolLimits().recorderMessage
    let envelope: Envelope<Body>
    do throws(MessageError) {
      envelope = try Envelope(reading: bytes, maxMessage: limit)
    } catch {
      promise(!error.reply.message.isEmpty, "an error says what is wrong")
      let reply = Envelope(ToInspector.error(error.reply), re: error.request)
      let sent = try? Envelope<ToInspector>(reading: reply.encoded(), maxMessage: limit)
      promise(sent?.re == error.request, "an error is answered by a message")
      return
    }
    let written = envelope.encoded()
    promise(!written.contains(0x0A), "a message is one line")
    do throws(MessageError) {
      let again = try Envelope<Body>(reading: written, maxMessage: limit)
      promise(again.id == envelope.id && again.re == envelope.re, "a message keeps who it answers")
      promise(again.encoded() == written, "a message is the same once read again")
    } catch {
      // The full form of a predicate may be longer than the limit for input.
      if case .wrongPredicate = error.reason { return }
      promise(false, "what was written is read: \(error)")
    }
  }
}
