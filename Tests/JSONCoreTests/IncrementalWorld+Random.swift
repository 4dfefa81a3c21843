import Foundation

/// Random numbers that a seed repeats (SplitMix64).
struct StepGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0xD129_0B26_27B2_9E3B }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func text() -> String {
    let words = [
      "", "a", "short", "a text that needs storage", "caf\u{E9}", "cafe\u{301}", "\"quoted\"\n",
      "a/b~c", String(repeating: "long ", count: 80), "\u{0}\u{1F}",
    ]
    return words[pick(0..<words.count)] + (pick(0..<3) == 0 ? "\(pick(0..<100))" : "")
  }

  mutating func double() -> Double {
    let values = [0.0, -0.0, 1, -1.5, .nan, .infinity, 1e300, 0.1, 5e-300, 123_456.789]
    return values[pick(0..<values.count)]
  }
}

extension Item {
  init(random: inout StepGenerator) {
    self.init(id: random.pick(0..<1_000))
    for _ in 0..<random.pick(0..<3) { mutate(random: &random) }
  }

  mutating func mutate(random: inout StepGenerator) {
    switch random.pick(0..<9) {
    case 0: isOn.toggle()
    case 1: name = random.text()
    case 2: count &+= 1
    case 3: price = random.double()
    case 4: tags = (0..<random.pick(0..<4)).map { _ in random.text() }
    case 5: note = random.pick(0..<2) == 0 ? nil : random.text()
    case 6: limit = random.pick(0..<2) == 0 ? nil : random.pick(0..<3)
    case 7: big = Array(0..<random.pick(0..<50))
    default: if !big.isEmpty { big[random.pick(0..<big.count)] += 1 }
    }
  }
}

extension Status {
  init(random: inout StepGenerator) {
    switch random.pick(0..<5) {
    case 0: self = .idle
    case 1: self = .loading(random.double())
    case 2: self = .failed(random.text(), code: random.pick(0..<2) == 0 ? nil : 4)
    case 3: self = .nested(Status(random: &random), [Item(random: &random)])
    default: self = .kind(Small(a: 1, b: Int16(random.pick(0..<3))))
    }
  }
}

extension World {
  init(random: inout StepGenerator) {
    func items(_ limit: Int) -> [Item] {
      (0..<random.pick(0..<limit / 4)).map { _ in Item(random: &random) }
    }
    text = random.text()
    self.items = items(80)
    maybe = random.pick(0..<2) == 0 ? nil : items(20)
    index = Dictionary(items(60).map { ("key \($0.id)/", $0) }) { $1 }
    numbered = Dictionary(items(60).map { ($0.id, $0.tags) }) { $1 }
    tags = Set((0..<random.pick(0..<60)).map { "tag \($0)" })
    matrix = (0..<random.pick(0..<12)).map { row in Array(0..<row) }
    pages = (0..<random.pick(0..<8)).map { Page(title: "page \($0)", items: items(40)) }
    events = (0..<random.pick(0..<40)).map { $0 % 3 == 0 ? .plain : .text("\($0)") }
    flags = (0..<random.pick(0..<400)).map { $0 % 3 == 0 }
    doubles = (0..<random.pick(0..<80)).map { _ in random.double() }
    holders = (0..<random.pick(0..<10)).map { Holder(name: "h", counter: Counter($0)) }
    padded = (0..<random.pick(0..<40)).map(Padded.init)
    derived = Derived(items: items(40))
    small = (0..<random.pick(0..<200)).map { Small(a: Int8($0 % 100), b: nil) }
    texts = (0..<random.pick(0..<60)).map { _ in random.text() }
    ids = (0..<random.pick(0..<40)).map { _ in UUID() }
    dates = (0..<random.pick(0..<60)).map { $0 % 4 == 0 ? nil : Date(timeIntervalSince1970: 1.5) }
    pairs = Dictionary((0..<random.pick(0..<20)).map { (Small(a: Int8($0), b: 1), $0) }) { $1 }
    spans = ["a": ["b": items(40), "c": items(40)], "d": [:]]
    interleaved = [InterleavedItems(items: items(40))]
    statuses = (0..<random.pick(0..<40)).map { _ in Status(random: &random) }
  }

  /// Changes one thing, of any kind, anywhere.
  mutating func mutate(random: inout StepGenerator) {
    revision += random.pick(0..<2)
    switch random.pick(0..<29) {
    case 0: text = random.text()
    case 1, 2, 3: Self.mutate(&items, random: &random)
    case 4:
      if maybe == nil { maybe = items } else { maybe = random.pick(0..<2) == 0 ? nil : maybe }
    case 5:
      let key = "key \(random.pick(0..<1_000))/"
      index[key] = index[key] == nil ? Item(random: &random) : nil
    case 6: if let key = index.keys.randomElement(using: &random) { index[key]?.count += 1 }
    case 7: numbered[random.pick(0..<100)] = [random.text()]
    case 8: if let key = numbered.keys.randomElement(using: &random) { numbered[key] = nil }
    case 9: tags.formSymmetricDifference(["tag \(random.pick(0..<80))"])
    case 10: if !matrix.isEmpty { matrix[random.pick(0..<matrix.count)].append(1) }
    case 11: matrix.reverse()
    case 12, 13:
      if !pages.isEmpty {
        let page = random.pick(0..<pages.count)
        Self.mutate(&pages[page].items, random: &random)
        if random.pick(0..<4) == 0 { pages[page].isOpen.toggle() }
      }
    case 14: events.insert(.pair(x: 1, y: random.double()), at: random.pick(0..<events.count + 1))
    case 15: if !flags.isEmpty { flags[random.pick(0..<flags.count)].toggle() }
    case 16: doubles.append(random.double())
    case 17: if !doubles.isEmpty { doubles[random.pick(0..<doubles.count)] = random.double() }
    case 18: holders.last?.counter.value += 1
    case 19: if !padded.isEmpty { padded[random.pick(0..<padded.count)].last.toggle() }
    case 20:
      switch random.pick(0..<3) {
      case 0: derived.isReversed.toggle()
      case 1: derived.showsItems.toggle()
      default: Self.mutate(&derived.items, random: &random)
      }
    case 21: if !small.isEmpty { small[random.pick(0..<small.count)].b = Int16(random.pick(0..<9)) }
    case 22: if !texts.isEmpty { texts[random.pick(0..<texts.count)] = random.text() }
    case 23: ids.append(UUID())
    case 24: if !dates.isEmpty { dates[random.pick(0..<dates.count)] = nil }
    case 25:
      pairs[Small(a: Int8(random.pick(0..<30)), b: nil)] = 1
      spans["a"]?["b"]?.append(Item(random: &random))
    case 26: if !statuses.isEmpty { statuses[random.pick(0..<statuses.count)] = .idle }
    case 27: statuses.insert(Status(random: &random), at: random.pick(0..<statuses.count + 1))
    default: Self.mutate(&interleaved[0].items, random: &random)
    }
  }

  private static func mutate(_ items: inout [Item], random: inout StepGenerator) {
    let place = random.pick(0..<items.count + 1)
    switch random.pick(0..<9) {
    case 0, 1, 2: if place < items.count { items[place].mutate(random: &random) }
    case 3: items.insert(Item(random: &random), at: place)
    case 4: if place < items.count { items.remove(at: place) }
    case 5: items.insert(contentsOf: items.prefix(random.pick(0..<12)), at: place)
    case 6: items.shuffle(using: &random)
    case 7:
      if place < items.count {
        items.insert(items.remove(at: place), at: random.pick(0..<items.count))
      }
    default: items = items.map { $0 }
    }
  }
}
