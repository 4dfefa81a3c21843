import DebugServer
import Foundation

/// The program: reads the command line, runs a command, and turns what went wrong into a sentence.
enum Program {
  /// Runs what the words ask for.
  static func run(
    _ words: [String], environment: [String: String], on terminal: Terminal
  ) async -> ExitCode {
    let help = HelpText(groups: CommandTable.groups)
    do {
      switch try ArgumentParser(commands: CommandTable.all).parse(words, environment: environment) {
      case .help(let command): terminal.print(command.map(help.text(of:)) ?? help.overview)
      case .version: for line in DaemonVersion.lines { terminal.print(line) }
      case .run(let arguments): return try await arguments.command.action(arguments, terminal)
      }
      return .done
    } catch let error as ArgumentError {
      terminal.complain("debugd: \(error)")
      let hint = error.command.map { "debugd \($0) --help" } ?? "debugd --help"
      terminal.complain("For help, run: \(hint)")
      // 'git bisect run' would take this for a commit with the bug.
      return words.contains("--bisect") ? .abortedBisect : .usage
    } catch let error as CocoaError {
      terminal.complain("debugd: \(FileProblem.sentence(error))")
      return .failed
    } catch {
      terminal.complain("debugd: \(error)")
      return .failed
    }
  }
}
