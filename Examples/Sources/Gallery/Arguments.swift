import Foundation

private let usage = """
  Runs state machines of all kinds with simulated users until Ctrl-C, and records them.

  Usage: Gallery [--help]

  It records to the debugd of this machine. To record elsewhere, set DEBUGD to unix:/path, \
  ws://host:port, or file:/folder.
  """

/// Ends the program after the help, or if it has an argument that it does not know.
func readArguments(_ arguments: ArraySlice<String>) {
  guard let first = arguments.first else { return }
  if ["--help", "-h"].contains(first) {
    print(usage)
    exit(0)
  }
  let message = "Gallery has no argument \(first.debugDescription). For help, run: Gallery --help\n"
  FileHandle.standardError.write(Data(message.utf8))
  exit(64)
}
