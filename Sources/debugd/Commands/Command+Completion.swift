extension CommandSpec {
  static let completion = CommandSpec(
    name: "completion", summary: "print a shell completion script",
    operands: [
      Operand(
        name: "SHELL", summary: "bash, zsh or fish", completion: .words(["bash", "zsh", "fish"]))
    ],
    examples: [("source <(debugd completion bash)", "in ~/.bashrc")]
  ) { arguments, terminal in
    let name = arguments.operand(0) ?? ""
    guard let shell = Completion.Shell(rawValue: name) else {
      let guess = Suggestion.sentence(for: name, among: Completion.Shell.allCases.map(\.rawValue))
      throw arguments.error("SHELL is bash, zsh or fish, not \(Escaped.quoted(name)).\(guess)")
    }
    terminal.print(Completion(commands: CommandTable.all).script(for: shell))
    return .done
  }
}
