internal import Foundation
internal import JSONCore
internal import Timelines

/// A recorded timeline, in a file next to a test or in memory.
struct Fixture {
  /// The file's name, or the machine's name for a timeline in memory.
  let name: String
  /// `nil` for a timeline in memory.
  let url: URL?
  /// Whether the file is next to the test's source or was named by an absolute path, so that it can
  /// be replaced.
  let isSource: Bool
  let timeline: Timeline

  /// Finds and reads a fixture: at an absolute path, next to the source, or in a bundle's resources.
  init(_ name: String, nextTo source: String) throws {
    self.name = name
    let place = try Self.find(name, nextTo: source)
    url = place.url
    isSource = place.isSource
    do {
      let bytes = Array(try Data(contentsOf: place.url))
      timeline = try Self.read(bytes, name)
    } catch let error as CocoaError {
      throw FixtureError(.unreadable(error.localizedDescription), in: name)
    }
    if timeline.entries.isEmpty { throw FixtureError(.empty, in: name) }
  }

  /// Creates a fixture from a timeline in memory.
  init(_ timeline: Timeline) throws {
    name = timeline.header.machine.name
    (url, isSource) = (nil, false)
    self.timeline = timeline
    if timeline.entries.isEmpty { throw FixtureError(.empty, in: name) }
  }

  private static func find(
    _ name: String, nextTo source: String
  ) throws -> (url: URL, isSource: Bool) {
    let files = FileManager.default
    if name.hasPrefix("/") {
      guard files.fileExists(atPath: name) else { throw FixtureError(.missing([name]), in: name) }
      return (URL(fileURLWithPath: name), true)
    }
    let folder = URL(fileURLWithPath: source).deletingLastPathComponent()
    let adjacent = folder.appendingPathComponent(name)
    if files.fileExists(atPath: adjacent.path) { return (adjacent, true) }
    var searched = [folder.path]
    for folder in resourceFolders {
      let file = folder.appendingPathComponent(name)
      if files.fileExists(atPath: file.path) { return (file, false) }
      searched.append(folder.path)
    }
    throw FixtureError(.missing(searched), in: name)
  }

  /// The resource folders of bundles, and those next to bundles.
  private static var resourceFolders: [URL] {
    let bundles = [Bundle.main] + Bundle.allBundles
    var folders: [URL] = bundles.compactMap(\.resourceURL)
    let parents = Set(bundles.map { $0.bundleURL.deletingLastPathComponent() } + folders)
    for parent in parents.sorted(by: { $0.path < $1.path }) {
      let inside = try? FileManager.default.contentsOfDirectory(
        at: parent, includingPropertiesForKeys: nil)
      folders += (inside ?? []).filter { ["resources", "bundle"].contains($0.pathExtension) }
        .sorted { $0.path < $1.path }
    }
    return folders
  }

  /// Reads a `.timeline` file, or a JSON document with a header and entries.
  static func read(_ bytes: [UInt8], _ name: String) throws -> Timeline {
    // The magic number of zstd.
    if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { throw FixtureError(.packed, in: name) }
    return name.hasSuffix(".json") ? try readDocument(bytes, name) : try readLines(bytes, name)
  }

  private static func readLines(_ bytes: [UInt8], _ name: String) throws -> Timeline {
    do {
      let file = try TimelineFile.read(bytes)
      if file.torn != nil { throw FixtureError(.torn, in: name) }
      return file.timeline
    } catch let error as FixtureError {
      throw error
    } catch {
      throw FixtureError(.unreadable("\(error)"), in: name)
    }
  }

  private static func readDocument(_ bytes: [UInt8], _ name: String) throws -> Timeline {
    let lines: [UInt8]?
    do {
      lines = try TimelineDocument.lines(of: bytes)
    } catch {
      throw FixtureError(.unreadable("\(error)"), in: name)
    }
    guard let lines else {
      throw FixtureError(.unreadable("it has no 'header' or no 'entries'"), in: name)
    }
    return try readLines(lines, name)
  }

  /// Replaces the file with new entries.
  func replace(with drafts: [EntryDraft]) throws {
    guard let url else { return }
    guard isSource else { throw FixtureError(.copied(url.path), in: name) }
    let bytes: [UInt8]
    if name.hasSuffix(".json") {
      bytes = TimelineDocument.bytes(header: timeline.header, drafts.map(\.line))
    } else {
      var writer = TimelineFileWriter(timeline.header)
      for draft in drafts { writer.append(draft) }
      bytes = writer.removeLines()
    }
    // Never replace a readable file with an unreadable one.
    _ = try Self.read(bytes, name)
    try Data(bytes).write(to: url, options: .atomic)
  }
}

/// Why a fixture cannot be used.
struct FixtureError: Error, CustomStringConvertible {
  enum Reason {
    case missing([String])
    case unreadable(String)
    case packed
    case torn
    case empty
    case copied(String)
    case path(String)
    case nothingCompared
  }

  let reason: Reason
  let name: String?

  init(_ reason: Reason, in name: String?) {
    self.reason = reason
    self.name = name
  }

  var description: String {
    printable((name.map { "\($0): " } ?? "") + sentence)
  }

  private var sentence: String {
    switch reason {
    case .missing(let places):
      """
      the fixture was not found in \(places.joined(separator: ", ")). \
      To fix, put it next to the test's source, or into the resources of its target.
      """
    case .unreadable(let why): "it cannot be read: \(why)"
    case .packed:
      "it is compressed. To fix, decompress it, and name the new file: zstd -d \((name ?? "FILE").shellWord)"
    case .torn: "its last line was cut off. To fix, export it again."
    case .empty: "it has no entries."
    case .copied(let path):
      """
      only the copy \(path) was found, and recording again would change only the copy. \
      To fix, keep the fixture next to the test's source.
      """
    case .path(let path): "\(path) does not begin with /state or /outputs."
    case .nothingCompared:
      """
      no entry could be compared, because no state was captured or all values depend on redacted \
      ones, so a test of it could not fail. To fix, fill in the timeline's states, or export another \
      stretch.
      """
    }
  }
}
