import DebugServer
import Foundation

extension OptionSpec {
  /// Where the sources of recorded programs are.
  static let source = OptionSpec.value(
    "source", nil, "FOLDER", "show lines of the Swift files in this folder around call sites",
    repeats: true, isConfigurable: true)

  /// How the page opens a call site.
  static let editor = OptionSpec.value(
    "editor", nil, "EDITOR",
    "open call sites in: vscode, cursor, zed, or an address with {file} and {line}",
    isConfigurable: true)
}

extension ServeSettings {
  /// The folders of sources, made absolute, and the editor.
  static func sources(_ arguments: ParsedArguments) throws -> SourceSettings {
    let folders = try (arguments.values["source"] ?? []).map { path in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        isFolder.boolValue
      else {
        throw CommandError(
          "There is no folder \(Escaped.quoted(path)). To fix, name one with --source.")
      }
      return absolute(path)
    }
    guard let text = arguments.value("editor") else { return SourceSettings(folders: folders) }
    guard let editor = EditorLink(text) else {
      let known = EditorLink.known.map(\.name).joined(separator: ", ")
      throw arguments.error(
        """
        \(Escaped.quoted(text)) is not an editor. Use \(known), or an address such as \
        'idea://open?file={file}&line={line}'.
        """)
    }
    guard !folders.isEmpty else {
      throw arguments.error("--editor needs the folder of the sources: --source FOLDER.")
    }
    return SourceSettings(folders: folders, editor: editor)
  }
}
