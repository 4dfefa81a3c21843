import JSONCore
import Timelines

/// What a process says before it is known to be a host: its `hello`, and what it may write before.
struct HostGreeting {
  /// What a line amounts to.
  enum Outcome {
    /// Nothing yet.
    case waiting
    /// It is a host.
    case host(FromRecorder.HostOffer)
    /// It is none that can be used, and why.
    case wrong(String)
  }

  /// What an app prints before it comes to be a host is borne with up to here.
  private static let mostNoise = 64 << 10

  private var noise = 0
  private var first: String?

  /// What to do about a program that is no host.
  private static let remedy = """
    To fix, let it call ReducerHost.run(…) or ReducerHost.runIfAsked(…) first in its main.
    """

  /// Takes a line.
  mutating func take(_ line: LineBuffer.Line) -> Outcome {
    guard case .whole(let bytes) = line else { return .wrong(sentence("wrote an endless line")) }
    // What a program prints that is none is mostly no JSON, and there may be much of it.
    if bytes.first == UInt8(ascii: "{"), let outcome = read(bytes) { return outcome }
    noise += bytes.count + 1
    if first == nil { first = String(decoding: bytes.prefix(60), as: UTF8.self) }
    return noise > Self.mostNoise ? .wrong(sentence("wrote something else")) : .waiting
  }

  /// What a line amounts to that may be a message; nil when it is none that matters.
  private func read(_ bytes: [UInt8]) -> Outcome? {
    do throws(MessageError) {
      let envelope = try Envelope<FromRecorder>(reading: bytes, maxMessage: bytes.count)
      if case .hello(let hello) = envelope.body {
        guard let offer = hello.can?.host else {
          return .wrong(sentence("did not say what it can make"))
        }
        return .host(offer)
      }
    } catch {
      if case .newerVersion = error.reason {
        return .wrong("The host is newer than this program: \(error)")
      }
    }
    return nil
  }

  /// What is said of a process that ended before it said anything.
  func ended(by signal: Int32?) -> String {
    sentence("ended\(signal.map { " by signal \($0)" } ?? "") before it said what it can make")
  }

  /// What is said of a process that says nothing.
  func late(_ milliseconds: Int64) -> String {
    sentence("did not say within \(milliseconds / 1_000) s what it can make")
  }

  private func sentence(_ what: String) -> String {
    let heard = first.map { " (it wrote \($0.debugDescription))" } ?? ""
    return "The executable is no host: it \(what)\(heard). \(Self.remedy)"
  }
}
