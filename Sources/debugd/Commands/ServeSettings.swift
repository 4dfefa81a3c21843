import DebugServer
import Foundation
internal import Reruns

/// Turns what the command line, the environment and the configuration file say into a configuration.
struct ServeSettings {
  let arguments: ParsedArguments
  let environment: [String: String]

  /// What was said, with the configuration file's settings behind it.
  ///
  /// A file that was named must be there; the standard one need not.
  init(_ given: ParsedArguments, _ environment: [String: String]) throws {
    self.environment = environment
    var arguments = given
    if let (path, text) = try Self.file(given, environment) {
      do {
        arguments.fill(from: try ConfigurationFile(reading: text, options: ServeOptions.all))
      } catch {
        throw CommandError("\(Escaped.text(path)), \(error)")
      }
    }
    self.arguments = arguments
  }

  private static func file(
    _ arguments: ParsedArguments, _ environment: [String: String]
  ) throws -> (String, String)? {
    let named = arguments.value("config")
    let folder =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].map { $0 + "/.config" }
    guard let path = named ?? folder.map({ $0 + "/debugd/config" }) else { return nil }
    guard named != nil || FileManager.default.fileExists(atPath: path) else { return nil }
    let file = try FileProblem.open(path)
    try FileTrust.check(file, at: path)
    let data = try file.readToEnd() ?? Data()
    return (path, String(decoding: data, as: UTF8.self))
  }

  /// The data directory, made absolute.
  static func data(_ arguments: ParsedArguments, _ environment: [String: String]) throws -> String {
    if let given = arguments.value("data") { return absolute(given) }
    guard let standard = ServerConfiguration.standardData(environment: environment) else {
      throw CommandError(
        "There is no home directory. To fix, say where the data is: --data FOLDER.")
    }
    return standard
  }

  /// Where recorders look for a daemon when they are not configured.
  private static func standardSocket(_ environment: [String: String]) -> String? {
    ServerConfiguration.standardData(environment: environment).map {
      ServerConfiguration.standardSocket(data: $0, environment: environment)
    }
  }

  /// What a command needs to find a daemon, or the data: nothing of it is logged.
  static func quiet(
    _ arguments: ParsedArguments, _ environment: [String: String]
  ) throws -> ServerConfiguration {
    var result = ServerConfiguration(
      data: try data(arguments, environment), environment: environment)
    result.socket = socket(arguments, data: result.data, environment)
    result.isDataNamed = arguments.has("data")
    let given = arguments.value("socket")
    result.isSocketNamed = given != nil && given != environment["DEBUGD_SOCKET"]
    result.start = start(arguments, environment)
    result.web = webFolder(arguments, environment)
    return result
  }

  /// The socket on which a daemon and its commands meet.
  ///
  /// A data folder of one's own has a socket of its own: another daemon may have the standard one.
  static func socket(
    _ arguments: ParsedArguments, data: String, _ environment: [String: String]
  ) -> String {
    if let given = arguments.value("socket") { return absolute(given) }
    return ServerConfiguration.standardSocket(
      data: data, environment: arguments.has("data") ? [:] : environment)
  }

  /// What apps need in their environment to record into the daemon of a command; `nil` if they find
  /// its socket without it.
  static func recorderVariable(
    _ arguments: ParsedArguments,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> String? {
    let socket = socket(arguments, data: try data(arguments, environment), environment)
    guard socket != standardSocket(environment) else { return nil }
    return "DEBUGD=" + Escaped.shell("unix:\(socket)")
  }

  /// The command that starts a daemon on the data that a command names.
  static func start(
    _ arguments: ParsedArguments,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    ServerConfiguration.start + dataOption(arguments, environment)
  }

  /// ` --data FOLDER` and ` --socket PATH` for a command that a message suggests, where the current
  /// one has them.
  ///
  /// The next command reads the environment by itself.
  static func dataOption(
    _ arguments: ParsedArguments,
    _ environment: [String: String] = ProcessInfo.processInfo.environment,
    path: (String) -> String = { $0 }
  ) -> String {
    [("data", "DEBUGD_DATA"), ("socket", "DEBUGD_SOCKET")].map { name, variable in
      guard let given = arguments.value(name), given != environment[variable] else { return "" }
      let word = path(given)
      return " --\(name) \(ShellWord.text(word) ?? Escaped.shell(word))"
    }.joined()
  }

  /// The configuration, with a log of its own.
  func configuration() throws -> ServerConfiguration {
    var result = ServerConfiguration(
      data: try Self.data(arguments, environment), environment: environment)
    result.database = try database()
    result.isStandby = try isStandby()
    let socket = Self.socket(arguments, data: result.data, environment)
    result.socket = socket
    result.isSocketStandard = socket == Self.standardSocket(environment)
    if let places = arguments.values["listen"] {
      result.places = try places.flatMap { $0.split(separator: ",") }.map {
        try place(String($0), of: "listen", example: "127.0.0.1:7357")
      }
    }
    result.metrics = try arguments.value("metrics").map {
      try place($0, of: "metrics", example: "127.0.0.1:9464")
    }
    result.identity = try identity()
    result.isInsecureAllowed = arguments.has("insecure")
    result.names = try (arguments.values["name"] ?? []).map(name)
    result.origins = try (arguments.values["origin"] ?? []).map(origin)
    result.web = Self.webFolder(arguments, environment)
    result.keep(
      bytes: try arguments.retainedBytes(),
      seconds: try arguments.amount(
        "retain-age", Amounts.seconds(reading:), "an age such as 30d or 12h"),
      perApp: try arguments.int("retain-count", 1...1_000_000).map { Int($0) })
    result.hosts = try Self.hosts(arguments)
    result.sources = try Self.sources(arguments)
    // The log is read in other folders, too.
    result.start = Self.start(arguments, environment)
    result.dataOption = Self.dataOption(arguments, environment, path: Self.absolute)
    result.hosts.dataOption = result.dataOption
    result.log = log()
    return result
  }

  /// The folder of the inspector's page.
  static func webFolder(
    _ arguments: ParsedArguments, _ environment: [String: String]
  ) -> String? {
    ServerConfiguration.webFolder(
      given: arguments.value("web"), environment: environment, executable: executable,
      exists: { FileManager.default.fileExists(atPath: $0) })
  }

  /// Which executables run reducers, and what they may cost.
  static func hosts(
    _ arguments: ParsedArguments, in folder: String = FileManager.default.currentDirectoryPath
  ) throws -> HostSettings {
    var result = HostSettings()
    result.workingDirectory = folder
    let given = arguments.values["host"] ?? []
    guard given.count <= result.maximumExecutables else {
      throw arguments.error("--host may be given \(result.maximumExecutables) times.")
    }
    do {
      result.executables = try given.map { try HostOption.spec($0, in: result.workingDirectory) }
    } catch let error as ArgumentError {
      throw arguments.error(error.description)
    }
    if let seconds = try arguments.amount(
      "host-time", Amounts.seconds(reading:), "a time such as 10s or 2m")
    {
      guard (1...3600).contains(seconds) else {
        throw arguments.error("--host-time takes 1s to 1h.")
      }
      result.milliseconds = seconds * 1_000
    }
    if let bytes = try arguments.amount(
      "host-memory", Amounts.bytes(reading:), "a size such as 1G or 500M")
    {
      result.bytes = bytes
    }
    return result
  }

  private func log() -> StreamLog {
    let level = arguments.value("log-level").flatMap { LogLevel(rawValue: $0) } ?? .info
    switch arguments.value("log-form") {
    case "human": return .standardError(form: .human, threshold: level)
    case "json": return .standardError(form: .json, threshold: level)
    default: return .standardError(threshold: level)
    }
  }

  private func identity() throws -> ServerConfiguration.Identity? {
    switch (arguments.value("certificate"), arguments.value("key")) {
    case (nil, nil): return nil
    case (let certificate?, let key?):
      return ServerConfiguration.Identity(
        certificate: Self.absolute(certificate), key: Self.absolute(key))
    case (_?, nil): throw arguments.error("A certificate needs its key: --key FILE.")
    case (nil, _?): throw arguments.error("A key needs its certificate: --certificate FILE.")
    }
  }

  /// `127.0.0.1:7357`, `[::1]:0`, `localhost:7357`, or a port alone.
  private func place(
    _ text: String, of option: String, example: String
  ) throws -> ServerConfiguration.Place {
    let problem = arguments.error(
      "--\(option) takes ADDRESS:PORT, such as \(example), not \(Escaped.quoted(text)).")
    var host = "127.0.0.1"
    var port = text[...]
    if let colon = text.lastIndex(of: ":") {
      host = String(text[..<colon])
      port = text[text.index(after: colon)...]
      if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
      if host == "localhost" { host = "127.0.0.1" }
      if host == "*" { host = "0.0.0.0" }
    }
    guard let number = Int(port), (0...65_535).contains(number), !host.isEmpty,
      !host.contains("/")
    else { throw problem }
    return ServerConfiguration.Place(host: host, port: number)
  }

  /// A name by which pages call the daemon; what no `Host` header can be is refused.
  private func name(_ text: String) throws -> String {
    let isAddress = text.hasPrefix("[") && text.hasSuffix("]") && text.count > 2
    let inner = isAddress ? text.dropFirst().dropLast() : text[...]
    let others = isAddress ? ":." : "-._"
    guard !inner.isEmpty, inner.allSatisfy({ Self.isLetterOrDigit($0) || others.contains($0) })
    else {
      throw arguments.error(
        """
        --name takes a host name without scheme and port, such as box.example or [fd00::1], not \
        \(Escaped.quoted(text)).
        """)
    }
    return text
  }

  /// An origin from which pages may connect. Browsers' texts are compared whole, so another spelling
  /// would let no page in.
  private func origin(_ text: String) throws -> String {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty,
      parts[0].allSatisfy({ $0.isASCII && $0.isLetter || "-+.".contains($0) }),
      !parts[1].isEmpty, parts[1].allSatisfy({ Self.isLetterOrDigit($0) || "-._:[]".contains($0) }),
      text == text.lowercased()
    else {
      throw arguments.error(
        """
        --origin takes SCHEME://HOST:PORT in lower case and without a path, such as \
        http://localhost:8000, not \(Escaped.quoted(text)).
        """)
    }
    return text
  }

  private static func isLetterOrDigit(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }

  /// The file that runs, wherever it was called from.
  static let executable =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments.first ?? ""

  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
