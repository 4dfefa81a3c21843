import DebugServer
import Foundation
import Timelines
import Wire

extension CommandSpec {
  static let open = CommandSpec(
    name: "open", summary: "open the inspector in a browser",
    operands: [
      Operand(
        name: "TIMELINE", summary: Operand.timeline.summary, isOptional: true,
        completion: .timelines)
    ],
    options: [
      .flag("look", "l", "read-only: the page cannot change or control anything"),
      .flag("host", nil, "allow the page to start executables as hosts, too"),
      .flag("print", "p", "print the file to open instead of opening it"),
      .value(
        "key", "k", "WHAT", "print a key for 'debugd push' or 'debugd pull' instead",
        choices: ["push", "pull"]),
      .value("for", nil, "TIME", "how long a key is valid (default: 90d)"),
      .value("name", nil, "NAME", "what a key is for, in the list of 'debugd status'"),
      .data, .socket,
    ],
    details: """
      Shows TIMELINE, or the newest recording, like 'last'. Recordings of the example app, Gallery, \
      count only if there are no others.

      Writes a page that only you can read, and that opens the inspector with a one-time code, valid \
      for a minute. Needs a running daemon. The page may do everything except start executables as \
      hosts; with --host it may do that, too.
      With --key it opens nothing, and prints a key for 'debugd push' or 'debugd pull' on another \
      machine, which is valid until it expires. A key that pushes can do nothing else. To end one \
      early, run: debugd revoke SESSION
      """,
    need: .daemon,
    examples: [
      ("debugd open --key push --for 30d --name ci", "a key with which CI can push, for a month")
    ]
  ) { arguments, terminal in
    if arguments.has("key") { return try await KeyCommand.run(arguments, terminal) }
    guard !arguments.has("for"), !arguments.has("name") else {
      throw arguments.error("--for and --name are for keys. Add --key push, or --key pull.")
    }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let capabilities = try capabilities(arguments)
      let timeline = try await inquiry.timelineToOpen()
      let request = FromInspector.Invite {
        $0.capabilities = capabilities
      }
      let answer = try await inquiry.asking.ask(request)
      guard let page = answer.page else {
        throw CommandError(
          "The daemon listens on no port. To fix, start it with --listen 127.0.0.1:7357.")
      }
      let file = try LeadingPage.write(
        to: page, code: answer.code, timeline: timeline,
        in: try ServeSettings.data(arguments, ProcessInfo.processInfo.environment))
      if arguments.has("print") {
        terminal.print(file)
      } else if !Browser.open(file) {
        terminal.print("Open this file in a browser within \(answer.seconds) s: \(file)")
      } else {
        terminal.print("Opened \(Escaped.text(page))")
      }
      return .done
    }
  }
}

extension Inquiry {
  /// The timeline that the command names, or the newest recording; `nil` if there is none.
  fileprivate func timelineToOpen() async throws -> TimelineID? {
    if arguments.operand(0) != nil { return try await timeline() }
    return try await asking.newestTimeline()
  }
}

/// What the page may do; `nil` for the daemon's default, which is everything but starting hosts.
private func capabilities(_ arguments: ParsedArguments) throws -> [Capability]? {
  switch (arguments.has("look"), arguments.has("host")) {
  case (true, true):
    throw ArgumentError(
      "Use either --look or --host: a read-only page starts no hosts.",
      command: "open")
  case (true, false): [.look]
  case (false, true): [.look, .change, .control, .host]
  case (false, false): nil
  }
}

/// Prints keys for programs.
private enum KeyCommand {
  static func run(_ arguments: ParsedArguments, _ terminal: Terminal) async throws -> ExitCode {
    for flag in ["look", "host", "print"] where arguments.has(flag) {
      throw arguments.error("Use either --key or --\(flag).")
    }
    let seconds = try arguments.amount("for", Amounts.seconds(reading:), "a time such as 30d")
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let answer = try await inquiry.asking.ask(
        FromInspector.Invite {
          $0.capabilities = arguments.value("key") == "pull" ? [.look] : [.push]
          $0.key = true
          $0.seconds = seconds
          $0.client = arguments.value("name")
        })
      terminal.print(answer.code)
      let session = answer.code.prefix { $0 != "." }
      terminal.complain(
        """
        Valid for \(Amounts.duration(answer.seconds * 1_000_000)). To end it, run: debugd revoke \
        \(session)\(ServeSettings.dataOption(arguments))
        """)
      return .done
    }
  }
}

/// A page on disk that leads to the inspector.
///
/// The code is in the fragment, which no browser sends to a server or to the next page; and in a
/// file of mode 0600, because every user can read the arguments of a process.
enum LeadingPage {
  /// Writes the page; answers where it is.
  ///
  /// - Parameter timeline: what the inspector shows first; `nil` lets it choose.
  static func write(
    to address: String, code: String, timeline: TimelineID? = nil, in folder: String
  ) throws -> String {
    let path = folder + "/open.html"
    guard code.utf8.allSatisfy({ isPlain($0) }),
      !address.contains(where: { "\"<>&'\\".contains($0) })
    else { throw CommandError("The daemon answered with an invalid address.") }
    let place = timeline.map { "&amp;timeline=\($0.text)" } ?? ""
    let target = "\(address)#code=\(code)\(place)"
    let text = """
      <!doctype html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(target)">
      <title>Stateline</title>
      <p><a href="\(target)">To the inspector</a></p>

      """
    unlink(path)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = Foundation.open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw FileProblem.writing(path, errno)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: Data(text.utf8))
    return path
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}

enum Browser {
  /// Opens a file; false where there is no screen.
  static func open(_ file: String) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    #if os(Linux)
      guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
        return false
      }
      let candidates = ["/usr/bin/xdg-open"]
    #else
      let candidates = ["/usr/bin/open"]
    #endif
    guard let program = candidates.first(where: FileManager.default.isExecutableFile(atPath:))
    else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [file]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0
    } catch {
      return false
    }
  }
}
