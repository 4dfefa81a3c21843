/// Writes what a shell needs to complete commands, options and timelines.
struct Completion {
  /// A shell that can be taught.
  enum Shell: String, CaseIterable { case bash, zsh, fish }

  let commands: [CommandSpec]

  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  // Names of commands and options are ours: letters and hyphens. Summaries are quoted.

  private var bash: String {
    let cases = commands.map { command in
      let options = options(of: command).joined(separator: " ")
      return
        "    \(callers(of: command))) options='\(options)'; operands='\(kinds(of: command))' ;;"
    }
    return """
      # debugd completion for bash: source <(debugd completion bash)
      \(Self.bashHelpers)
      _debugd() {
        local line=${COMP_LINE-} word before glued= options= operands= breaks
        local names='\(commands.map(\.name).joined(separator: " "))'
        line=${line:0:${COMP_POINT:-0}} COMPREPLY=()
        if [[ -n $line ]]; then
          # The words of bash end at colons, too.
          word=${line##*[[:space:]]} before=${line%"${line##*[[:space:]]}"}
          before=${before%"${before##*[![:space:]]}"} before=${before##*[[:space:]]}
          for breaks in : @ =; do
            # Readline keeps what precedes these, so the answers must not repeat it. It replaces an @.
            if [[ ${COMP_WORDBREAKS-} == *"$breaks"* && $word == *"$breaks"* ]]; then
              breaks=${word%"${word##*"$breaks"}"} breaks=${breaks%@}
              [[ ${#breaks} -le ${#glued} ]] || glued=$breaks
            fi
          done
        else
          word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        fi
        if [[ $COMP_CWORD == 1 ]]; then _debugd_words $names --help --version; return; fi
        case ${COMP_WORDS[1]} in
      \(cases.joined(separator: "\n"))
        esac
        case $before in
      \(choiceCases.joined(separator: "\n"))
        esac
        case $word in
          -*) _debugd_words $options ;;
          *)
            case $operands in
              timelines) _debugd_names <<<"$(debugd list --names 2>/dev/null)" ;;
              files) _debugd_files ;;
              timelines-or-files)
                _debugd_names <<<"$(debugd list --names 2>/dev/null)"
                [[ ${#COMPREPLY[@]} != 0 ]] || _debugd_files ;;
              ?*) _debugd_words $operands ;;
            esac ;;
        esac
      }
      complete -F _debugd debugd
      """
  }

  /// What reads words that others wrote: nothing here expands them, and what is offered is inserted
  /// into the command line without quotes, so only names that need none are offered. Bash 3.2, which
  /// comes with macOS, has neither `mapfile` nor `compopt`.
  private static let bashHelpers = #"""
    _debugd_words() {
      local candidate
      for candidate; do
        [[ $candidate != "$word"* ]] || COMPREPLY+=("${candidate#"$glued"}")
      done
    }
    _debugd_names() {
      local LC_ALL=C candidate
      while IFS= read -r candidate; do
        case $candidate in
          '' | -* | *[!A-Za-z0-9._/:@+-]*) ;;
          *) _debugd_words "$candidate" ;;
        esac
      done
    }
    _debugd_files() {
      # Readline finds files, and quotes their names.
      compopt -o default 2>/dev/null || _debugd_names <<<"$(compgen -f -- "$word")"
    }
    """#

  private var choiceCases: [String] {
    var seen: Set<String> = []
    var lines: [String] = []
    for option in commands.flatMap(\.options)
    where !option.choices.isEmpty && seen.insert(option.name).inserted {
      let choices = option.choices.joined(separator: " ")
      lines.append("    --\(option.name)) _debugd_words \(choices); return ;;")
    }
    let values = commands.flatMap(\.options).filter { $0.valueName != nil && $0.choices.isEmpty }
    let names = Set(values.map(\.name)).subtracting(seen).sorted().map { "--\($0)" }
    if !names.isEmpty {
      lines.append("    \(names.joined(separator: "|"))) _debugd_files; return ;;")
    }
    return lines.isEmpty ? ["    '') ;;"] : lines
  }

  private var zsh: String {
    let names = commands.map { "    \(Self.quoted("\($0.name):\($0.summary)"))" }
    let cases = commands.map { command in
      var words = command.options.map { option in
        let value = option.valueName.map { valueName in
          let choices = option.choices.joined(separator: " ")
          return ":\(valueName):" + (choices.isEmpty ? "_files" : "(\(choices))")
        }
        return Self.quoted("--\(option.name)[\(Self.plain(option.summary))]\(value ?? "")")
      }
      words.append("'--help[show this help]'")
      if let operand = command.operands.first {
        let source =
          switch operand.completion {
          case .timelines: "_debugd_timelines"
          case .files: "_files"
          case .timelinesOrFiles: "{ _debugd_timelines || _files }"
          case .words(let words): "(\(words.joined(separator: " ")))"
          case .nothing: " "
          }
        words.append(Self.quoted("*:\(operand.name):\(source)"))
      }
      return "    \(callers(of: command))) _arguments \(words.joined(separator: " ")) ;;"
    }
    return """
      #compdef debugd
      # debugd completion for zsh: source <(debugd completion zsh), or a file _debugd on the fpath
      _debugd_timelines() { local -a names=(${(f)"$(debugd list --names 2>/dev/null)"}); compadd -a names }
      _debugd() {
        local -a names=(
      \(names.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then _describe command names; return; fi
        local name=$words[2]
        shift words; (( CURRENT-- ))
        case $name in
      \(cases.joined(separator: "\n"))
        esac
      }
      (( $+functions[compdef] )) && compdef _debugd debugd
      """
  }

  private var fish: String {
    var lines = [
      "# debugd completion for fish: debugd completion fish | source",
      "complete -c debugd -f",
    ]
    for command in commands {
      lines.append(
        "complete -c debugd -n __fish_use_subcommand -a \(command.name) "
          + "-d \(Self.quoted(command.summary))")
      let names = ([command.name] + command.aliases).joined(separator: " ")
      let condition = "-n '__fish_seen_subcommand_from \(names)'"
      for option in command.options {
        var line = "complete -c debugd \(condition) -l \(option.name)"
        if let short = option.short { line += " -s \(short)" }
        // -x keeps files out of the choices.
        if option.valueName != nil { line += option.choices.isEmpty ? " -r" : " -x" }
        if !option.choices.isEmpty {
          line += " -a \(Self.quoted(option.choices.joined(separator: " ")))"
        }
        lines.append(line + " -d \(Self.quoted(option.summary))")
      }
      switch command.operands.first?.completion {
      case .timelines:
        lines.append("complete -c debugd \(condition) -a '(debugd list --names 2>/dev/null)'")
      case .files:
        lines.append("complete -c debugd \(condition) -F")
      case .timelinesOrFiles:
        lines.append("complete -c debugd \(condition) -a '(debugd list --names 2>/dev/null)'")
        // A name that may be a file's: others would hide the timelines.
        lines.append(
          "complete -c debugd -n '__fish_seen_subcommand_from \(names); "
            + "and string match -qr \"[./]\" -- (commandline -ct)' -F")
      case .words(let words):
        lines.append(
          "complete -c debugd \(condition) -a \(Self.quoted(words.joined(separator: " ")))")
      case .nothing, nil:
        break
      }
    }
    return lines.joined(separator: "\n")
  }

  /// A pattern of all words that call a command.
  private func callers(of command: CommandSpec) -> String {
    ([command.name] + command.aliases).joined(separator: "|")
  }

  private func options(of command: CommandSpec) -> [String] {
    command.options.map { "--\($0.name)" } + ["--help"]
  }

  private func kinds(of command: CommandSpec) -> String {
    switch command.operands.first?.completion {
    case .timelines: "timelines"
    case .files: "files"
    case .timelinesOrFiles: "timelines-or-files"
    case .words(let words): words.joined(separator: " ")
    case .nothing, nil: ""
    }
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }

  /// Without what zsh reads as the end of a description.
  private static func plain(_ text: String) -> String {
    String(text.filter { !"[]:".contains($0) })
  }
}
