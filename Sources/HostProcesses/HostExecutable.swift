/// An executable that is started as a host.
package struct HostExecutable: Hashable, Sendable {
  package var path: String
  package var arguments: [String]

  package init(path: String, arguments: [String] = []) {
    self.path = path
    self.arguments = arguments
  }
}
