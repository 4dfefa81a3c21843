internal import Foundation
package import JSONCore
package import Reruns
internal import Synchronization
internal import TestSupport
package import Timelines
package import Wire

/// What tests of hosts ask for: the probe's machine that does everything a reducer must not do.
package enum HostWorld {
  package static let timeline = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a"
  package static let make = "RecorderProbe.Troubled.self"

  package static func spec(
    _ arguments: [String] = ["host"], app: String? = nil, version: String? = nil
  ) -> HostSpec {
    HostSpec(path: ProbeExecutable.path, arguments: arguments, app: app, version: version)
  }

  /// A request to run events from a state of zero.
  package static func request(
    _ events: [String], milliseconds: Int64 = 120_000, bytes: Int64 = 200 << 20
  ) throws -> ToRecorder.Reduce {
    let steps = events.enumerated().map { #"{"event":\#($1),"t":\#($0),"was":\#($0 + 1)}"# }
    let text = #"""
      {"type":"reduce","id":1,"make":"\#(make)","state":{"total":0,"notes":[]},"seq":1,"milliseconds":\#(milliseconds),"bytes":\#(bytes),"steps":[\#(steps.joined(separator: ","))]}
      """#
    let envelope = try Envelope<ToRecorder>(reading: Array(text.utf8), maxMessage: 1 << 20)
    guard case .reduce(let reduce) = envelope.body else { throw CancellationError() }
    return reduce
  }

  package static func header(
    app: String = "Commute", version: String? = nil, make: String? = make, run: String? = nil
  ) throws -> Header {
    let version = version.map { #","version":"\#($0)""# } ?? ""
    let run = run.map { #","run":"\#($0)""# } ?? ""
    let make = make.map { #","make":"\#($0)""# } ?? ""
    return try Header(
      reading:
        #"{"timeline":"\#(timeline)","app":{"name":"\#(app)","process":"\#(app)"\#(version)\#(run)},"#
        + #""machine":{"type":"RecorderProbe.Troubled","name":"troubled"\#(make)},"#
        + #""started":"2026-05-01T08:00:00Z","format":1}"#)
  }

  package static let add = #"{"added":{"_0":2}}"#

  /// Copies the probe, so that its file can be replaced.
  package static func copyProbe(to path: String) throws {
    let temporary = path + ".new"
    try? FileManager.default.removeItem(atPath: temporary)
    // Not written by this process: what another test starts meanwhile would have it open, too, and a
    // file that is being written cannot be run.
    let copy = try Process.run(
      URL(filePath: "/bin/cp"), arguments: [ProbeExecutable.path, temporary])
    copy.waitUntilExit()
    guard copy.terminationStatus == 0 else { throw CancellationError() }
    guard rename(temporary, path) == 0 else { throw CancellationError() }
  }

  /// A script that may be executed.
  package static func script(_ text: String, at path: String) throws {
    // By another process, for the same reason.
    let write = try Process.run(
      URL(filePath: "/bin/sh"),
      arguments: ["-c", #"printf '#!/bin/sh\n%s\n' "$1" > "$0""#, path, text])
    write.waitUntilExit()
    guard write.terminationStatus == 0 else { throw CancellationError() }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
  }
}

/// What a host answered, all parts together.
package struct Reduction {
  package var entries: [JSON] = []
  package var ended: EarlyEnd?
}

extension ReducerHosting {
  /// Runs events and puts the parts together.
  package func run(
    _ events: [String], milliseconds: Int64 = 120_000, bytes: Int64 = 200 << 20
  ) async throws -> Reduction {
    let parts = Mutex<[FromRecorder.Reduced]>([])
    let request = try HostWorld.request(events, milliseconds: milliseconds, bytes: bytes)
    try await reduce(request) { part in parts.withLock { $0.append(part) } }
    var result = Reduction()
    for part in parts.withLock({ $0 }) {
      result.entries += try part.entries.map { try JSON(parsing: Array($0.bytes)) }
      result.ended = part.ended ?? result.ended
    }
    return result
  }
}

/// What an error says, when it is a refusal.
package func sentence(of error: any Error) -> String {
  (error as? Refusal)?.reply.message ?? "\(error)"
}
