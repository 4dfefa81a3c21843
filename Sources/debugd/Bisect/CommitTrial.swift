import DebugServer
import Foundation
internal import Reruns
import Timelines
import Wire

/// Builds a commit, and runs a recording with the program that results.
struct CommitTrial {
  /// The file of the recording.
  let file: String
  /// The words of `--build`, for a shell.
  let build: String?
  let from: Int64?
  let to: Int64?

  /// The host's program lies in the worktree.
  let hosts: (_ tree: String) throws -> HostSettings

  /// Tests the commit that a folder's worktree has.
  func run(in folder: BisectFolder) async throws -> CommitOutcome {
    if let build {
      let log = try folder.openLog()
      let built = try await ChildCommand(
        program: "/bin/sh", arguments: ["-c", build], folder: folder.tree, log: log
      ).run()
      guard built.isSuccess else {
        return .untestable("It does not build. \(Self.end(of: folder.log, built.status))")
      }
    }
    let hosts = try hosts(folder.tree)
    if let missing = missing(among: hosts) { return .untestable(missing) }
    let service = try FileRerunService(hosts: hosts)
    let result: Result<CommitOutcome, any Error>
    do {
      result = .success(try await verify(with: service))
    } catch {
      result = .failure(error)
    }
    await service.close()
    return try result.get()
  }

  /// Why a program cannot be started that the build should have made; `nil` if all are there.
  private func missing(among hosts: HostSettings) -> String? {
    let paths = hosts.executables.map(\.path)
    guard let path = paths.first(where: { !FileManager.default.fileExists(atPath: $0) }) else {
      return nil
    }
    if build != nil {
      return """
        The build made no file \(path). To fix, name the program that it makes, as its path in the \
        worktree: --host .build/debug/App
        """
    }
    // Swift gives programs no extension.
    guard path.split(separator: "/").last?.dropFirst().contains(".") != true else {
      return """
        The commit has no file \(path). To fix, name a script that each of the commits has, as its \
        path in the repository: --host scripts/host.py
        """
    }
    return """
      There is no file \(path), because nothing builds the commit. To fix, add the command that does: \
      --build 'swift build'
      """
  }

  private func verify(with service: FileRerunService) async throws -> CommitOutcome {
    do {
      try await service.begin()
    } catch let refusal as Refusal {
      return .untestable(refusal.reply.message)
    }
    let timeline = try await service.add(file: file)
    let request = FromInspector.Verify {
      $0.timeline = timeline
      $0.from = from
      $0.to = to
      $0.failure = true
    }
    do {
      guard case .verify(let verdict) = try await service.ask(.verify(request)) else {
        throw BackendError.unexpected("no verdict")
      }
      return CommitOutcome(verdict, lines: await lines(of: verdict, timeline, service))
    } catch let error as BackendError {
      try Task.checkCancellation()
      return .untestable(error.description)
    }
  }

  private func lines(
    of verdict: ToInspector.Verify, _ timeline: TimelineID, _ service: FileRerunService
  ) async -> [String] {
    var lines = verdict.message.map { [Escaped.text($0)] } ?? []
    guard let patch = verdict.patch else { return lines }
    let place = verdict.seq.map { EntryReference(timeline: timeline, seq: $0) }
    let old = await ReplacedValues.values(replacedBy: patch, at: place) {
      try await service.ask($0)
    }
    let plain = Terminal(environment: ["NO_COLOR": "1"])
    lines += PatchRows.lines(of: patch, replacing: old, on: plain)
    return lines
  }

  /// The last words of a build.
  private static func end(of log: String, _ status: Int32) -> String {
    let lines = lastPart(of: log).split(separator: "\n")
    let errors = lines.filter { $0.contains("error") }
    return (errors.last ?? lines.last).map { "The build says: \($0.cut(toScalars: 400))" }
      ?? "The build says nothing, and exits with \(status)."
  }

  /// The end of a file, which may be larger than the memory.
  private static func lastPart(of path: String, bytes: UInt64 = 64 << 10) -> String {
    guard let file = FileHandle(forReadingAtPath: path) else { return "" }
    defer { try? file.close() }
    guard let size = try? file.seekToEnd(),
      (try? file.seek(toOffset: size - min(size, bytes))) != nil,
      let data = try? file.read(upToCount: Int(bytes))
    else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}
