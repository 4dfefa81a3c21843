import Foundation
import WebSockets

/// Sends every message back as it came.
final class EchoServer: ServerHandler, SessionHandler {
  private let files: StaticFiles?

  private init(_ files: StaticFiles?) {
    self.files = files
  }

  /// Listens on 127.0.0.1, says on which port, and goes on until its input ends.
  static func run(port: Int, folder: String?) async throws {
    let loop = try Loop.start()
    let files = try folder.map { try StaticFiles(root: $0) }
    let actual = try await loop.run { loop in
      try loop.listen(on: .tcp(host: "127.0.0.1", port: port), handler: EchoServer(files)).port
    }
    print(actual)
    // Into a file or a pipe it would otherwise wait for more.
    fflush(nil)
    while readLine() != nil {}
    await loop.stop()
  }

  func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision {
    var options = SessionOptions()
    // The longest messages of the conformance suite have 16 MiB.
    options.maxMessageBytes = 32 * 1024 * 1024
    options.maxQueuedBytes = 64 * 1024 * 1024
    return .accept(self, options: options)
  }

  func handle(_ exchange: Exchange, on loop: isolated Loop) {
    guard let files else {
      return exchange.respond(.text(404, "Only WebSocket sessions here."))
    }
    exchange.respond(
      exchange.request.method == "POST"
        ? Response(status: 200, body: .bytes(exchange.body))
        : files.response(to: exchange.request))
  }

  func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
    session.send(message)
  }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {}
}
