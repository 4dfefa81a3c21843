import Foundation
import JSONCore
import Synchronization
import TestSupport
import Testing

/// Random questions about random values, put to our decoder and to Foundation's.
@Suite("Decoder: dialogues")
struct DecoderDialogueTests {
  @Test("answers every request like Foundation's decoder", arguments: 0..<8)
  func sameAnswers(_ part: UInt64) throws {
    for seed in part * 60..<(part + 1) * 60 {
      var random = RandomJSON(seed: seed)
      let bytes = random.value(depth: 4).encoded()
      // Foundation takes the two spellings of é for one key.
      if String(decoding: bytes, as: UTF8.self).unicodeScalars.contains("\u{301}") { continue }
      let key = try #require(Dialogue.key)

      let ours = Dialogue(seed: seed)
      let decoder = CanonicalDecoder(userInfo: [key: ours])
      _ = try? decoder.decode(Asker.self, from: bytes)

      let theirs = Dialogue(seed: seed)
      let foundation = DecoderTypesTests.foundationDecoder
      foundation.userInfo = [key: theirs]
      _ = try? foundation.decode(Asker.self, from: Data(bytes))

      let (left, right) = (ours.log.withLock { $0 }, theirs.log.withLock { $0 })
      if left != right {
        let place = zip(left, right).enumerated().first { $1.0 != $1.1 }
        let answers =
          place.map { "\($0.offset): \($0.element) after \(left[max($0.offset - 1, 0)])" }
          ?? "one has more"
        let text = String(decoding: bytes, as: UTF8.self)
        Issue.record("seed \(seed), answer \(answers), in \(text)")
      }
    }
  }

  /// What is asked, and what was answered.
  final class Dialogue: Sendable {
    static let key = CodingUserInfoKey(rawValue: "dialogue")

    private let random: Mutex<SeededGenerator>
    private let left = Mutex(80)
    let log = Mutex<[String]>([])

    init(seed: UInt64) { random = Mutex(SeededGenerator(seed: seed)) }

    func pick(_ count: Int) -> Int {
      random.withLock { Int.random(in: 0..<count, using: &$0) }
    }

    /// Whether one more question may be put.
    func goesOn() -> Bool {
      left.withLock { left in
        left -= 1
        return left >= 0
      }
    }

    func record(_ answer: String) { log.withLock { $0.append(answer) } }

    /// Records the result of the request, or its error.
    func ask<R>(_ question: String, _ body: () throws -> R) -> R? {
      do {
        let answer = try body()
        record("\(question): \(Self.text(answer))")
        return answer
      } catch {
        record("\(question): \(Self.text(of: error, of: question))")
        return nil
      }
    }

    /// What an error says, where Foundation's is to be trusted: it has names of its own for numbers
    /// that do not fit, takes the members of a dictionary in any order, and does not always tell
    /// null from another type.
    private static func text(of error: any Error, of question: String) -> String {
      if question.hasPrefix("Dictionary") { return "fails" }
      guard let error = error as? DecodingError,
        let failure = DecoderErrorTests.Failure({ throw error })
      else { return "dataCorrupted" }
      if failure.kind == "dataCorrupted" { return failure.kind }
      let isMisfit = ["valueNotFound", "typeMismatch"].contains(failure.kind)
      return "\(isMisfit ? "misfit" : failure.kind) \(failure.path) \(failure.indices)"
    }

    private static func text<R>(_ answer: R) -> String {
      switch answer {
      case let dictionary as [String: Int]: "\(dictionary.sorted { $0.key < $1.key })"
      case is any Decoder, is any UnkeyedDecodingContainer: "a container"
      case is KeyedDecodingContainer<AnyKey>: "a container"
      default: "\(answer)"
      }
    }
  }

  /// Asks the decoder that it is given.
  struct Asker: Decodable, CustomStringConvertible {
    var description: String { "asker" }

    init(from decoder: any Decoder) throws {
      let dialogue = try #require(
        Dialogue.key.flatMap { decoder.userInfo[$0] as? Dialogue })
      try Self.ask(decoder, dialogue)
    }

    private static func ask(_ decoder: any Decoder, _ dialogue: Dialogue) throws {
      dialogue.record(path(decoder.codingPath))
      while dialogue.goesOn() {
        switch dialogue.pick(4) {
        case 0:
          if let keyed = dialogue.ask("keyed", { try decoder.container(keyedBy: AnyKey.self) }) {
            try ask(keyed, dialogue)
          }
        case 1:
          if var unkeyed = dialogue.ask("unkeyed", { try decoder.unkeyedContainer() }) {
            try ask(&unkeyed, dialogue)
          }
        case 2:
          if let single = dialogue.ask("single", { try decoder.singleValueContainer() }) {
            _ = dialogue.ask("nil") { single.decodeNil() }
            try single.answer(dialogue.pick(Question.count), dialogue)
          }
        default: if dialogue.pick(3) == 0 { return }
        }
      }
    }

    private static func ask(
      _ keyed: KeyedDecodingContainer<AnyKey>, _ dialogue: Dialogue
    ) throws {
      dialogue.record(path(keyed.codingPath))
      let keys = keyed.allKeys.sorted {
        $0.stringValue.utf8.lexicographicallyPrecedes($1.stringValue.utf8)
      }
      dialogue.record("keys \(keys.map(\.stringValue))")
      while dialogue.goesOn(), dialogue.pick(8) != 0 {
        let place = dialogue.pick(keys.count + 1)
        let key = place < keys.count ? keys[place] : AnyKey(stringValue: "missing")
        switch dialogue.pick(9) {
        case 0: dialogue.record("contains \(keyed.contains(key))")
        case 1: _ = dialogue.ask("nil") { try keyed.decodeNil(forKey: key) }
        case 2:
          let nested = dialogue.ask("nested") {
            try keyed.nestedContainer(keyedBy: AnyKey.self, forKey: key)
          }
          if let nested { try ask(nested, dialogue) }
        case 3:
          let nested = dialogue.ask("list") { try keyed.nestedUnkeyedContainer(forKey: key) }
          if var nested { try ask(&nested, dialogue) }
        case 4:
          if let parent = dialogue.ask("super", { try keyed.superDecoder(forKey: key) }) {
            try ask(parent, dialogue)
          }
        case 5: _ = dialogue.ask("asker") { try keyed.decode(Asker.self, forKey: key) }
        case 6: _ = dialogue.ask("asker?") { try keyed.decodeIfPresent(Asker.self, forKey: key) }
        default: try keyed.answer(dialogue.pick(Question.count), key, dialogue)
        }
      }
    }

    private static func ask(
      _ unkeyed: inout any UnkeyedDecodingContainer, _ dialogue: Dialogue
    ) throws {
      dialogue.record(path(unkeyed.codingPath))
      while dialogue.goesOn(), dialogue.pick(10) != 0 {
        dialogue.record(
          "\(unkeyed.count ?? -1) \(unkeyed.currentIndex) \(unkeyed.isAtEnd)")
        // Foundation's index goes on beyond the end, for every question that it answers with nil.
        if unkeyed.isAtEnd, dialogue.pick(3) > 0 {
          _ = dialogue.ask("beyond") { try unkeyed.decode(Int.self) }
          return
        }
        if unkeyed.isAtEnd { return }
        switch dialogue.pick(8) {
        case 0: _ = dialogue.ask("nil") { try unkeyed.decodeNil() }
        case 1:
          let nested = dialogue.ask("nested") {
            try unkeyed.nestedContainer(keyedBy: AnyKey.self)
          }
          if let nested { try ask(nested, dialogue) }
        case 2:
          let nested = dialogue.ask("list") { try unkeyed.nestedUnkeyedContainer() }
          if var nested { try ask(&nested, dialogue) }
        case 3:
          if let parent = dialogue.ask("super", { try unkeyed.superDecoder() }) {
            try ask(parent, dialogue)
          }
        case 4: _ = dialogue.ask("asker") { try unkeyed.decode(Asker.self) }
        default: try unkeyed.answer(dialogue.pick(Question.count), dialogue)
        }
      }
    }

    private static func path(_ path: [any CodingKey]) -> String {
      "at \(path.map { "\($0.stringValue)|\($0.intValue ?? -1)" })"
    }
  }

  /// The types that are asked for.
  enum Question {
    static var types: [any Decodable.Type] {
      [
        Int.self, String.self, Double.self, Bool.self, Int8.self, UInt.self, Float.self,
        [Int].self, [String: Int].self, [Double?].self, Int?.self, [Int: Bool].self, Date.self,
        UInt64.self, [[Bool]].self, String?.self, Int128.self, Date?.self, Decimal.self,
      ]
    }
    static var count: Int { types.count }
  }
}

extension SingleValueDecodingContainer {
  fileprivate func answer(
    _ question: Int, _ dialogue: DecoderDialogueTests.Dialogue
  ) throws {
    func ask<T: Decodable>(_ type: T.Type) {
      _ = dialogue.ask("\(type)") { try decode(type) }
    }
    ask(DecoderDialogueTests.Question.types[question])
  }
}

extension KeyedDecodingContainer {
  fileprivate func answer(
    _ question: Int, _ key: Key, _ dialogue: DecoderDialogueTests.Dialogue
  ) throws {
    func ask<T: Decodable>(_ type: T.Type) {
      _ = dialogue.ask("\(type)") { try decode(type, forKey: key) }
      _ = dialogue.ask("\(type)?") { try decodeIfPresent(type, forKey: key) }
    }
    ask(DecoderDialogueTests.Question.types[question])
  }
}

extension UnkeyedDecodingContainer {
  fileprivate mutating func answer(
    _ question: Int, _ dialogue: DecoderDialogueTests.Dialogue
  ) throws {
    func ask<T: Decodable>(_ type: T.Type, _ container: inout Self) {
      if question % 2 == 0 {
        _ = dialogue.ask("\(type)") { try container.decode(type) }
      } else {
        _ = dialogue.ask("\(type)?") { try container.decodeIfPresent(type) }
      }
    }
    ask(DecoderDialogueTests.Question.types[question], &self)
  }
}
