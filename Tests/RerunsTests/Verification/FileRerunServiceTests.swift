import Foundation
import JSONCore
import Testing
import Timelines
import Wire

@testable import DebugServer
@testable import Reruns

@Suite("Proving things of files")
struct FileRerunServiceTests {
  @Test("two ends of one timeline are two recordings")
  func sameTimeline() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let header = """
      {"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","app":{"name":"Doors"},"machine":\
      {"type":"Doors","name":"doors","make":"Doors()"},"started":"2026-05-01T08:00:00Z","format":1}
      """
    let proofs = try FileRerunService(hosts: HostSettings())
    for amounts in [[1, 2], [1, 3, 4]] as [[Int64]] {
      let entries = try Doors.recording(amounts.map(Doors.paid))
      let lines = [header] + entries.map { String(decoding: $0.line.bytes, as: UTF8.self) }
      let file = folder.appending(path: "\(amounts.count).timeline")
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
      let timeline = try await proofs.add(file: file.path)
      let asked = FromInspector.Compare {
        $0.timeline = timeline
        $0.with = timeline
      }
      guard case .compare(let answer) = try await proofs.ask(.compare(asked)) else {
        Issue.record("another answer")
        continue
      }
      #expect(answer.equal == Int64(amounts.count + 1))
    }
    await proofs.close()
  }
}
