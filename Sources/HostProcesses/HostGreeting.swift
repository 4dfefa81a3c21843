import JSONCore
import Timelines
import Wire

/// Reads the output of a new process until its `hello` proves that it is a host.
struct HostGreeting {
  enum Outcome {
    /// More lines are needed.
    case waiting
    case host(FromRecorder.HostOffer)
    /// The process is not a usable host, and why.
    case wrong(String)
  }

  /// An app may print this many bytes before its `hello`.
  private static let maximumNoise = 64 << 10

  /// The maximum bytes of the machines that a host can make: every list of hosts contains them.
  private static let maximumMakes = 64 << 10

  private static let manyMakes = """
    The host lists more than 64 KiB of machines. To fix, list fewer in the 'makes' of its hello.
    """

  private var noise = 0
  private var first: String?

  private static let remedy = """
    To fix, call ReducerHost.run(…) or ReducerHost.runIfAsked(…) first in its main.
    """

  mutating func receive(_ line: LineBuffer.Line) -> Outcome {
    guard case .whole(let bytes) = line else {
      return .wrong(sentence("wrote a line that is too long"))
    }
    // A program that is not a host may print a lot, and rarely JSON: do not parse it.
    if bytes.first == UInt8(ascii: "{"), let outcome = read(bytes) { return outcome }
    noise += bytes.count + 1
    if first == nil { first = String(decoding: bytes.prefix(60), as: UTF8.self) }
    return noise > Self.maximumNoise ? .wrong(sentence("wrote other output")) : .waiting
  }

  /// The outcome of a line that may be a message; `nil` if it decides nothing.
  private func read(_ bytes: [UInt8]) -> Outcome? {
    do throws(MessageError) {
      let envelope = try Envelope<FromRecorder>(reading: bytes, maxMessage: bytes.count)
      if case .hello(let hello) = envelope.body {
        guard let offer = hello.can?.host else {
          return .wrong(sentence("did not list the machines that it can make"))
        }
        let bytes = offer.makes.reduce(0) { $0 + $1.utf8.count }
        guard bytes <= Self.maximumMakes else { return .wrong(Self.manyMakes) }
        return .host(offer)
      }
    } catch {
      if case .newerVersion = error.reason {
        return .wrong("The host is newer than this program: \(error)")
      }
    }
    return nil
  }

  func problem(endedBy signal: Int32?) -> String {
    let cause = signal.map { " by signal \($0)" } ?? ""
    return sentence("exited\(cause) without identifying itself as a host")
  }

  func problem(silentFor milliseconds: Int64) -> String {
    sentence("did not identify itself as a host within \(milliseconds / 1_000) s")
  }

  private func sentence(_ what: String) -> String {
    let quote = first.map { " (it wrote \($0.debugDescription))" } ?? ""
    return "The executable is not a host: it \(what)\(quote). \(Self.remedy)"
  }
}
