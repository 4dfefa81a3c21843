import WebSockets

// A server that sends every message back, on the framing code of the daemon: for scripts/autobahn
// and for trying things by hand. Arguments: a port, 0 for any, and a folder of files, if wanted.
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
try await EchoServer.run(port: port, folder: CommandLine.arguments.dropFirst(2).first)
