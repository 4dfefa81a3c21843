/// An executable that is started as a host.
package struct HostExecutable: Hashable, Sendable {
  /// The file.
  package var path: String
  /// What follows its name.
  package var arguments: [String]

  /// An executable with its arguments.
  package init(path: String, arguments: [String] = []) {
    self.path = path
    self.arguments = arguments
  }
}
