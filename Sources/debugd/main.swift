import Foundation

let environment = ProcessInfo.processInfo.environment
let code = await Program.run(
  Array(CommandLine.arguments.dropFirst()), environment: environment,
  on: Terminal(environment: environment))
exit(code.rawValue)
