internal import Foundation
internal import Timelines
package import Wire

/// Reads the lines around call sites, below the folders that the user named.
///
/// The folders are indexed when the first call site is requested, and again when a file is not found
/// and the index is older than some seconds.
package actor CallSites {
  private let settings: SourceSettings
  private let now: @Sendable () -> ContinuousClock.Instant
  private var index: (folders: [SourceFolder], made: ContinuousClock.Instant)?

  /// How many lines an answer has before and after the call site.
  package static let aroundRange: ClosedRange<Int64> = 0...20

  /// How many, unless the request says so.
  package static let around: Int64 = 5

  /// The characters of a line that an answer has.
  static let lineLimit = 400

  /// How old an index is before a missing file makes another one.
  static let indexLifetime = Duration.seconds(10)

  package init(
    _ settings: SourceSettings, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.settings = settings
    self.now = now
  }

  /// The lines around a recorded call site.
  package func lines(
    at text: String, around: Int64
  ) throws(Refusal) -> ToInspector.Source {
    guard Self.aroundRange.contains(around) else {
      throw Refusal(
        .wrongValue, "The number of lines around the call site must be 0 to 20.", path: "around")
    }
    guard let site = RecordedCallSite(text) else {
      throw Refusal(.notFound, "The call site \(Self.shown(text)) has no line.", path: "seq")
    }
    guard !settings.folders.isEmpty else { throw Self.noFolder }
    let (path, content) = try file(of: site)
    // A line break of Windows is a single character.
    let lines = content.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    guard site.line <= lines.count else {
      throw Refusal(
        .notFound,
        """
        \(Self.shown(site.file)) has only \(lines.count) lines now, and the call site is in line \
        \(site.line): the file changed after the recording.
        """, path: "seq")
    }
    let first = max(1, site.line - Int(around))
    let last = min(lines.count, site.line + Int(around))
    return ToInspector.Source {
      $0.at = "\(site.file):\(site.line)"
      $0.file = path
      $0.line = Int64(site.line)
      $0.first = Int64(first)
      $0.lines = lines[(first - 1)..<last].map(Self.cut)
      $0.editor = settings.editor?.template
    }
  }

  /// The path and the text of a call site's file.
  private func file(of site: RecordedCallSite) throws(Refusal) -> (path: String, text: String) {
    if let index, let found = try Self.file(of: site, in: index.folders) { return found }
    if let index, now() - index.made < Self.indexLifetime { throw Self.missing(site) }
    let folders = try folders()
    index = (folders, now())
    guard let found = try Self.file(of: site, in: folders) else { throw Self.missing(site) }
    return found
  }

  private func folders() throws(Refusal) -> [SourceFolder] {
    do {
      return try settings.folders.map { try SourceFolder($0) }
    } catch {
      throw Refusal(.failed, "\(error)")
    }
  }

  private static func file(
    of site: RecordedCallSite, in folders: [SourceFolder]
  ) throws(Refusal) -> (path: String, text: String)? {
    var found: [(path: String, folder: SourceFolder, relative: String)] = []
    for folder in folders {
      for relative in folder.paths(named: site.file) {
        let path = folder.path(of: relative)
        // A folder may be named together with one inside it.
        guard !found.contains(where: { $0.path == path }) else { continue }
        found.append((path, folder, relative))
      }
    }
    guard found.count <= 1 else {
      throw Refusal(
        .conflict,
        """
        \(found.count) files could be \(shown(site.file)). To fix, name the folder of only that \
        program's sources with --source.
        """, path: "seq")
    }
    guard let one = found.first, let text = one.folder.text(of: one.relative) else { return nil }
    return (one.path, text)
  }

  private static var noFolder: Refusal {
    Refusal(
      .notFound,
      """
      No source folder is named. To see the lines, add --source FOLDER to the command that you ran: \
      serve, view, or source.
      """)
  }

  private static func missing(_ site: RecordedCallSite) -> Refusal {
    Refusal(
      .notFound,
      """
      \(shown(site.file)) was not found in the source folders. To fix, name the folder of the \
      program's sources with --source.
      """, path: "seq")
  }

  private static func shown(_ text: String) -> String {
    "'\(PlainText.escaping(text.cut(toScalars: 80)))'"
  }

  private static func cut(_ line: Substring) -> String {
    line.cut(toScalars: lineLimit)
  }
}
