/// An executable that whoever set the daemon up, or an inspector, gave to it as a host.
package struct HostSpec: Hashable, Sendable {
  /// The app whose timelines it serves; `nil` for all.
  package var app: String?
  /// Its absolute path.
  package var path: String
  /// What follows its name.
  package var arguments: [String]

  /// An executable with its arguments.
  package init(path: String, arguments: [String] = [], app: String? = nil) {
    self.app = app
    self.path = path
    self.arguments = arguments
  }
}
