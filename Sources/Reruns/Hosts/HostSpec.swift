internal import Timelines

/// An executable that the configuration or an inspector named as a host.
package struct HostSpec: Hashable, Sendable {
  /// The app whose timelines it serves; `nil` for all.
  package var app: String?
  /// The version of the app whose timelines it serves; `nil` for all versions.
  package var version: String?
  /// Its absolute path.
  package var path: String
  package var arguments: [String]

  package static let versionLength = 100

  /// Whether a text can be the version of an app: it is part of the host's name.
  package static func isVersion(_ text: String) -> Bool {
    (1...versionLength).contains(text.unicodeScalars.count) && !text.hasPrefix(" ")
      && !text.hasSuffix(" ") && PlainText.escaping(text) == text
  }

  package init(
    path: String, arguments: [String] = [], app: String? = nil, version: String? = nil
  ) {
    self.app = app
    self.version = version
    self.path = path
    self.arguments = arguments
  }
}
