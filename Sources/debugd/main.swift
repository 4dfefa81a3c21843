internal import DebugServer

let usage = """
  usage: debugd [--version | --help]

  The daemon that stores timelines of state machines.
  This build knows the vocabulary and the libraries; it does not serve yet.
  """

switch CommandLine.arguments.dropFirst().first {
case "--version":
  for line in DaemonVersion.lines { print(line) }
default:
  print(usage)
}
