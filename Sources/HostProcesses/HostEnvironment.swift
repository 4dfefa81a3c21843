#if canImport(Glibc)
  import Glibc

  /// The variables that a host's process is started with.
  package enum HostEnvironment {
    /// The variable that asks an executable to be a host, with the value `1`.
    package static let variable = "STATES_HOST"

    /// All variables of this process: what an app gives to itself.
    package static var inherited: [String: String] {
      var variables: [String: String] = [:]
      var next = environ
      while let entry = next.pointee {
        let text = String(cString: entry)
        if let equals = text.firstIndex(of: "=") {
          variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        next += 1
      }
      return variables
    }

    /// What a program needs to start and to know where it is, and no secret that this process may
    /// have been given: the paths of programs, libraries and homes, the time zone and the language.
    package static var minimal: [String: String] {
      let names: Set = [
        "HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER",
      ]
      return inherited.filter { names.contains($0.key) || $0.key.hasPrefix("LC_") }
    }

    /// What makes a process a host, which records nothing itself.
    package static let host = [variable: "1", "DEBUGD": "off"]
  }
#endif
