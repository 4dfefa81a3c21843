/// Which sources inspectors may see, and the editor that opens them.
package struct SourceSettings: Equatable, Sendable {
  /// The folders; nothing outside them is read.
  package var folders: [String]
  /// The editor; `nil` if there are no links.
  package var editor: EditorLink?

  package init(folders: [String] = [], editor: EditorLink? = nil) {
    self.folders = folders
    self.editor = editor
  }
}

/// An address that opens a file in an editor.
///
/// The page makes a link of it. It is never a command: neither the daemon nor the page starts a
/// program with recorded text.
package struct EditorLink: Equatable, Sendable {
  /// The address, with `{file}` and perhaps `{line}`.
  package let template: String

  /// The editors whose addresses are known.
  package static let known = [
    (name: "vscode", template: "vscode://file{file}:{line}"),
    (name: "cursor", template: "cursor://file{file}:{line}"),
    (name: "zed", template: "zed://file{file}:{line}"),
  ]

  /// What browsers would run or show themselves.
  private static let refusedSchemes = ["javascript", "data", "vbscript", "blob", "file", "about"]

  /// A known editor's name, or an address with `{file}`; `nil` if it is neither.
  package init?(_ text: String) {
    if let editor = Self.known.first(where: { $0.name == text }) {
      template = editor.template
      return
    }
    guard let end = text.firstRange(of: "://"), text.contains("{file}"), text.utf8.count <= 500
    else {
      return nil
    }
    let scheme = text[..<end.lowerBound]
    guard let first = scheme.utf8.first, Self.isLetter(first),
      scheme.utf8.allSatisfy({ Self.isLetter($0) || Self.isInScheme($0) }),
      !Self.refusedSchemes.contains(scheme.lowercased()),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return nil }
    template = text
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }

  private static func isInScheme(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || [0x2b, 0x2d, 0x2e].contains(byte)
  }
}
