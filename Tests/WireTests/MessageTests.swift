import JSONCore
import Testing

@testable import Timelines
@testable import Wire

@Suite("Messages")
struct MessageTests {
  private func read(_ text: String) throws(MessageError) -> Envelope<FromRecorder> {
    try Envelope(reading: Array(text.utf8), maxMessage: 1_000)
  }

  @Test("keep the bytes of entries as they came")
  func raw() throws {
    let line = #"{"seq":1, "t":2,"event":{"a":1.50,"b":"\u0041"},"zz":null}"#
    let text =
      #"{"type":"append","timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","entries":[\#(line)]}"#
    let envelope = try read(text)
    guard case .append(let append) = envelope.body else { throw TestFailure() }
    #expect(append.entries.first?.text == line)
    #expect(String(decoding: envelope.encoded(), as: UTF8.self) == text)
  }

  @Test("are written on one line, however their values were read", arguments: ["\n", "\r\n", "\r"])
  func oneLine(lineBreak: String) throws {
    let pretty = #"{"type":"diff","re":6,"patch":[{"op":"remove",_"path":"/a\n"}_]}"#
    let frame = Array(pretty.replacing("_", with: lineBreak).utf8)
    let written = try Envelope<ToInspector>(reading: frame, maxMessage: 1000).encoded()
    let space = String(repeating: " ", count: lineBreak.utf8.count)
    #expect(String(decoding: written, as: UTF8.self) == pretty.replacing("_", with: space))
  }

  @Test("of an unknown type are answered with their id")
  func unknownType() {
    do {
      _ = try read(#"{"type":"blink","id":7}"#)
      Issue.record("no error")
    } catch {
      #expect(error.reason == .unknownType("blink"))
      #expect(error.request == .number(7))
      let reply = Envelope<ToRecorder>(.error(error.reply), re: error.request)
      #expect(
        String(decoding: reply.encoded(), as: UTF8.self)
          == #"{"type":"error","re":7,"code":"unknown-type","message":"There is no message of type "#
          + #"'blink' in this direction.","path":"type"}"#)
    }
  }

  @Test("of a newer major version are refused with a sentence, of a newer minor one taken")
  func versions() throws {
    _ = try read(#"{"type":"hello","version":"1.7"}"#)
    do {
      _ = try read(#"{"type":"hello","version":"2.0"}"#)
      Issue.record("no error")
    } catch {
      #expect(error.reply.code == .version)
      #expect(error.description.contains("version 2.0 of the protocol, this one 1.0"))
    }
  }

  @Test(
    "that cannot be understood say why",
    arguments: [
      ("", "The message is not JSON: the text ends inside a value at byte 0."),
      ("[1]", "The message must be an object, not an array."),
      ("{}", "The key 'type' is missing."),
      (#"{"type":7}"#, "The key 'type' must be a string, not a number."),
      (
        #"{"type":"ack","type":"ack"}"#,
        #"The message is not JSON: duplicate key "type" at byte 14."#
      ),
      (
        #"{"type":"hello","id":true}"#,
        "The key 'id' must be a whole number or a string, not a Boolean."
      ),
      (
        #"{"type":"hello","id":-1}"#,
        "The key 'id' cannot be this: it is a whole number from 0 to 2^53 - 1."
      ),
      (#"{"type":"hello","id":""}"#, "The key 'id' cannot be this: an id has 1 to 64 bytes."),
      (
        #"{"type":"hello","version":"one"}"#,
        "The key 'version' cannot be this: a version is written 1.0."
      ),
      (
        #"{"type":"hello","version":"1.0","can":{"host":{"place":"proces","makes":[]}}}"#,
        "The key 'can.host.place' cannot be this: did you mean process?"
      ),
      (
        #"{"type":"close","timeline":"1"}"#,
        "The key 'timeline' cannot be this: a timeline's name is a UUID."
      ),
    ])
  func sentences(text: String, sentence: String) {
    do {
      _ = try read(text)
      Issue.record("no error")
    } catch {
      #expect(error.description == sentence)
    }
  }

  @Test("longer than the limit are not even parsed")
  func tooLong() {
    do {
      _ = try read(String(repeating: "[", count: 1_001))
      Issue.record("no error")
    } catch {
      #expect(error.reason == .tooLong(limit: 1_000))
    }
  }

  @Test(
    "are answered in short, however long what is wrong with them is",
    arguments: [
      #"{"type":"?"}"#, #"{"?":1,"?":2}"#, #"{"type":"hello","version":"1.0","can":"?"}"#,
    ])
  func shortReplies(text: String) {
    let long = String(repeating: "xé", count: 50_000)
    let bytes = Array(text.replacing("?", with: long).utf8)
    do {
      _ = try Envelope<FromRecorder>(reading: bytes, maxMessage: 1 << 20)
      Issue.record("no error")
    } catch {
      #expect(error.reply.message.unicodeScalars.count <= 1_000)
    }
  }

  @Test("with an invalid predicate have the column of the error")
  func predicateColumn() {
    let text =
      #"{"type":"find","id":3,"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","#
      + #""from":0,"predicate":"true && stat.x"}"#
    do {
      _ = try Envelope<FromInspector>(reading: Array(text.utf8), maxMessage: 1_000)
      Issue.record("no error")
    } catch {
      #expect(error.reply.at == 9)
      #expect(error.reply.path == "predicate")
    }
  }

  @Test("are at most a third of a message from an inspector too long in base64")
  func parts() {
    let limits = ProtocolLimits()
    #expect(limits.partBytes * 4 / 3 + 1_024 < limits.inspectorMessage)
    #expect(limits.batchBytes < limits.credit)
  }
}

private struct TestFailure: Error {}
