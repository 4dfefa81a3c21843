#if canImport(Glibc)
  import Glibc

  package enum HostEnvironment {
    /// The variable that makes an executable a host when its value is `1`.
    package static let variable = "STATES_HOST"

    /// All variables of this process, for an app that hosts itself.
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

    /// The variables a program needs to start, without secrets this process may have: the paths of
    /// programs, libraries, and home, the time zone, and the language.
    package static var minimal: [String: String] {
      let names: Set = [
        "HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER",
      ]
      return inherited.filter { names.contains($0.key) || $0.key.hasPrefix("LC_") }
    }

    /// Makes a process a host, which records nothing itself.
    package static let host = [variable: "1", "DEBUGD": "off"]
  }
#endif
