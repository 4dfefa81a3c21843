internal import DebugServer
internal import Foundation

let usage = """
  usage: debugd --version
         debugd --help

  The daemon that stores timelines of state machines. It does not serve yet: this build tells its
  version, the timeline format that it knows, and the versions of the libraries that it found.
  """

switch Array(CommandLine.arguments.dropFirst()) {
case ["--version"]:
  for line in DaemonVersion.lines { print(line) }
case ["--help"], ["-h"], []:
  print(usage)
case let words:
  let sentence = "debugd does not know '\(words.joined(separator: " "))'.\n\(usage)\n"
  FileHandle.standardError.write(Data(sentence.utf8))
  exit(2)
}
