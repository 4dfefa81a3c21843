import Foundation
import JSONCore
import TestSupport
import Testing

@testable import Timelines
@testable import Wire

@Suite("Message fixtures")
struct MessageFixtureTests {
  @Test("there is one for each message, and a message for each")
  func completeness() {
    let expected = MessageFixtures.types.flatMap { direction, types in
      types.map { "\(direction).\($0)" }
    }
    #expect(MessageFixtures.names == expected.sorted())
  }

  @Test("are read and written again byte by byte", arguments: MessageFixtures.names)
  func roundTrip(name: String) throws {
    let bytes = try MessageFixtures.bytes(name)
    let written = try MessageFixtures.rewritten(bytes, as: name)
    #expect(String(decoding: written, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
  }

  @Test("stand in docs/protocol.md as they are", arguments: MessageFixtures.names)
  func documented(name: String) throws {
    let text = try String(
      contentsOf: repositoryRoot.appending(path: "docs/protocol.md"), encoding: .utf8)
    let example = String(decoding: try MessageFixtures.bytes(name), as: UTF8.self)
    #expect(text.contains("<!-- fixture: \(name) -->\n```json\n\(example)\n```"))
  }

  @Test("ignore unknown keys", arguments: MessageFixtures.names)
  func unknownKeys(name: String) throws {
    let bytes = try MessageFixtures.bytes(name)
    let grown = bytes.dropLast() + Array(#","zz":{"later":[1,2]},"fields":null}"#.utf8)
    #expect(try MessageFixtures.rewritten(Array(grown), as: name) == bytes)
  }

  @Test("answer a wrong type at any key with its name", arguments: MessageFixtures.names)
  func wrongTypes(name: String) throws {
    let value = try JSON(parsing: MessageFixtures.bytes(name))
    for (path, replaced) in value.withOneValueReplaced() {
      do {
        let written = try MessageFixtures.rewritten(replaced.encoded(), as: name)
        // The user chooses these values, so any value is valid.
        #expect(try JSON(parsing: written) == replaced, "\(path)")
      } catch let error as MessageError {
        #expect(error.path == path || path == "type", "\(error)")
        #expect(!error.reply.message.isEmpty)
        if path != "id", let id = value["id"]?.int { #expect(error.request == .number(id)) }
      }
    }
  }

  @Test("answer a missing key with its name", arguments: MessageFixtures.names)
  func missingKeys(name: String) throws {
    let value = try JSON(parsing: MessageFixtures.bytes(name))
    for key in value.object?.keys ?? [] {
      var object = try #require(value.object)
      object[key] = nil
      let bytes = JSON.object(object).encoded()
      do {
        let written = try MessageFixtures.rewritten(bytes, as: name)
        #expect(try JSON(parsing: written) == .object(object))
      } catch let error as MessageError {
        #expect(error.path == key)
        #expect(error.reason == .missing)
      }
    }
  }

  @Test("never trap when their bytes are changed")
  func mutations() throws {
    var generator = SeededGenerator(seed: 20_260_501)
    for name in MessageFixtures.names {
      let bytes = try MessageFixtures.bytes(name)
      for _ in 0..<60 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let index = Int.random(in: 0..<changed.count, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: changed[index] = UInt8.random(in: 0...255, using: &generator)
          case 1: changed.remove(at: index)
          case 2: changed.insert(changed[index], at: index)
          default: changed.removeSubrange(index...)
          }
          if changed.isEmpty { break }
        }
        do {
          _ = try MessageFixtures.rewritten(changed, as: name)
        } catch {
          #expect(!error.reply.message.isEmpty, "seed 20260501, \(name)")
        }
      }
    }
  }
}

extension JSON {
  /// Copies of the value in each of which one value, at the path beside it, is of a type that
  /// no reader expects there.
  fileprivate func withOneValueReplaced() -> [(path: String, value: JSON)] {
    switch self {
    case .object(let object):
      return object.flatMap { key, value in
        let here = [("", value.ofAnotherType)] + value.withOneValueReplaced()
        return here.map { (path, value) -> (path: String, value: JSON) in
          var copy = object
          copy[key] = value
          let joint = path.isEmpty || path.hasPrefix("[") ? "" : "."
          return (key + joint + path, JSON.object(copy))
        }
      }
    case .array(let array):
      return array.enumerated().flatMap { index, value in
        let here = [("", value.ofAnotherType)] + value.withOneValueReplaced()
        return here.map { (path, value) -> (path: String, value: JSON) in
          var copy = array
          copy[index] = value
          let joint = path.isEmpty || path.hasPrefix("[") ? "" : "."
          return ("[\(index)]" + joint + path, JSON.array(copy))
        }
      }
    default: return []
    }
  }

  private var ofAnotherType: JSON {
    if case .bool = self { "yes" } else { true }
  }
}
