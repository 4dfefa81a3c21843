import Foundation
import JSONCore
import Recorder
import Replaying
import StatesCore
import Timelines

/// Secrets of several forms.
struct Secrets: Codable, Equatable, Sendable {
  var token = "s3cr\u{E9}t \"9f2c-quoted\"/p\u{E4}ss\\w\u{F6}rd"
  var pin = 48_151_623_421
  var balance = 314_159.265_35
  var key = Data("binary-secret-7f".utf8)
  var parts = ["part-one-x81", "part-two-x82"]
  var site = URL(string: "https://example.org/private-81f?q=hidden-9c")
  var byName = ["left": "left-hand-5512", "right": "right-hand-5513"]

  /// What these look like in bytes, in each way that something could write them.
  static let needles: [String] = {
    let secrets = Secrets()
    let texts =
      [secrets.token, "9f2c-quoted", "private-81f", "hidden-9c"] + secrets.parts
      + secrets.byName.values.sorted()
    var needles = texts + ["48151623421", "314159.26535", "binary-secret-7f"]
    for text in texts + ["binary-secret-7f", "48151623421"] {
      let bytes = Array(text.utf8)
      needles.append(
        String(decoding: JSON.string(text).encoded().dropFirst().dropLast(), as: UTF8.self))
      needles.append(text.debugDescription.dropFirst().dropLast().description)
      needles.append(bytes.map { String($0, radix: 16) }.joined())
      needles.append(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text)
      // Wherever it begins within three bytes, all but its ends is the same in base64.
      for shift in 0..<3 {
        let shifted = Data(Array(repeating: 0x20, count: shift) + bytes).base64EncodedString()
        needles.append(String(shifted.dropFirst(4).dropLast(4)))
      }
    }
    return Array(Set(needles.filter { $0.count >= 6 })).sorted()
  }()

  /// Those that some bytes hold.
  static func found(in bytes: some Collection<UInt8>) -> [String] {
    let data = Data(bytes)
    return needles.filter { data.range(of: Data($0.utf8)) != nil }
  }

  /// The secrets as JSON.
  static var json: String {
    let bytes = (try? CanonicalEncoder().encode(Secrets())) ?? []
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A machine that takes secrets in and hides them.
struct Vault: Reducible, Codable, Equatable, Redactable {
  var secrets: Secrets?
  var echo = ""
  var count = 0
  var padding = ""

  enum Event: Codable, Equatable, SchemaProviding {
    case stored(Secrets)
    case echoed(String)
    case counted

    static var eventSchema: EventSchema {
      EventSchema(
        of: Event.self, samples: [.stored(Secrets()), .echoed(Secrets().token), .counted])
    }
  }

  static func reduce(state: Vault, event: Event) -> Vault {
    var next = state
    next.count += 1
    switch event {
    case .stored(let secrets): next.secrets = secrets
    // What was hidden once is hidden wherever it comes again.
    case .echoed(let text): next.echo = "<\(text)>"
    case .counted: next.padding = String(repeating: "x", count: 64 + next.count % 7)
    }
    return next
  }

  static var outputs: Outputs<Vault> {
    Output("hint") { $0.secrets.map { "\($0.token)?" } ?? "none" }
    Output("pin") { $0.secrets?.pin ?? 0 }
  }

  static var redaction: RedactionRules { [.hide("/secrets"), .events("stored")] }
}
