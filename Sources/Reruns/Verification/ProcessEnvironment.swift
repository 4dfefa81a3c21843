/// Environments for the processes of a verification, as different as possible.
enum ProcessEnvironment {
  private static let zones = [
    "UTC", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu", "Pacific/Pago_Pago",
    "Africa/Casablanca", "Australia/Lord_Howe", "Europe/Dublin",
  ]
  private static let locales = [
    "C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8", "ja_JP.UTF-8", "hi_IN.UTF-8", "fr_FR.UTF-8",
    "sv_SE.UTF-8",
  ]

  /// The variables of one of the processes. Hash seeds differ in every process anyway.
  static func environment(_ index: Int) -> [String: String] {
    let (zone, locale) = (zones[index % zones.count], locales[index % locales.count])
    return ["TZ": zone, "LANG": locale, "LC_ALL": locale]
  }
}
