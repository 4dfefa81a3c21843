// A recorder in JavaScript for browsers, written only from docs/protocol.md.
//
//   const recorder = new Recorder("Counter", "ws://127.0.0.1:7357/", secret);
//   const counter = recorder.machine("counter", { n: 0 });
//   counter.record({ add: { by: 2 } }, { n: 2 });
//   await recorder.close();
//
// A page cannot open a Unix socket. It needs the secret, from the daemon's file recorder.secret,
// and the daemon must allow its origin: --origin http://127.0.0.1:8000
//
// JavaScript rounds integers beyond 2^53. Record them as BigInt to keep them exact.

const BATCH_BYTES = 256 * 1024;
const BATCH_ENTRIES = 1000;
const LARGEST = 4 * 1024 * 1024; // characters per entry; a message has at most 16 MiB
const TIMELINES = 1000; // per recorder
const GREETING = 5000; // milliseconds until `welcome`
const [FIRST_WAIT, LONGEST_WAIT] = [500, 5000]; // milliseconds before it connects again

const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const write = (value) =>
  JSON.stringify(value, (_, one) => typeof one === "bigint" ? JSON.rawJSON(String(one)) : one);

/** The members of an object as JSON texts: copied, and ready to compare and send. */
const textsOf = (state) =>
  new Map(
    Object.entries(state).map(([key, value]) => [key, write(value)]).filter(([, text]) => text),
  );
const whole = (texts) => `{${[...texts].map(([key, text]) => `${write(key)}:${text}`).join()}}`;

/** The patch from one object to the other, member by member. */
function patch(old, now) {
  const path = (key) => write("/" + key.replaceAll("~", "~0").replaceAll("/", "~1"));
  const gone = [...old.keys()].filter((key) => !now.has(key));
  const changed = [...now].filter(([key, text]) => old.get(key) !== text);
  const set = ([key, text]) =>
    `{"op":"${old.has(key) ? "replace" : "add"}","path":${path(key)},"value":${text}}`;
  return `[${[...gone.map((key) => `{"op":"remove","path":${path(key)}}`), ...changed.map(set)]}]`;
}

/** A machine whose states are objects: its timeline, and its entries that are not durable. */
class Machine {
  constructor(recorder, name, state, make) {
    Object.assign(this, { recorder, name, make, refused: 0, isOff: false, lines: [], size: 0 });
    this.begin(textsOf(state));
  }

  /** Begins a timeline, or a new one if the daemon deleted it or refused it three times. */
  begin(state) {
    this.drop(this.lines.length);
    Object.assign(this, { seq: -1, durable: -1, sent: -1, isOpen: false });
    this.began = performance.now();
    this.header = {
      timeline: crypto.randomUUID(),
      app: { name: this.recorder.app, host: location.host, run: this.recorder.run },
      machine: { type: this.name, name: this.name, make: this.make },
      started: new Date().toISOString(),
      format: 1,
    };
    this.add("", state);
  }

  /** Records an event and the state after it. Both are JSON values, and are copied. */
  record(event, state) {
    if (this.isOff) return;
    const now = textsOf(state);
    this.add(`,"event":${write(event)}`, now, patch(this.state, now));
    this.recorder.makeRoom();
    this.recorder.push();
  }

  add(event, state, change) {
    this.state = state;
    const t = Math.round((performance.now() - this.began) * 1000);
    const full = whole(state);
    this.spent += change?.length ?? 0;
    // A keyframe follows when the patches since the last one are as long as the state.
    const isKeyframe = change === undefined || this.spent >= full.length;
    if (isKeyframe) this.spent = 0;
    const line = {
      seq: ++this.seq,
      isKeyframe,
      event: `"t":${t}${event}${isKeyframe ? `,"state":${full}` : ""}`,
      patch: change === undefined ? "" : `,"patch":${change}`,
    };
    line.size = line.event.length + line.patch.length;
    if (line.size > LARGEST) this.spent = Infinity;
    else {
      this.lines.push(line);
      this.count(line.size);
    }
  }

  count(size) {
    this.size += size;
    this.recorder.size += size;
  }

  drop(count) {
    for (const { size } of this.lines.splice(0, count)) this.count(-size);
  }

  /** Stops recording. */
  end() {
    this.isOff = true;
    this.drop(this.lines.length);
  }

  /** Drops the oldest entries up to a keyframe. If there is none, the next entry becomes one. */
  dropGroup() {
    const next = this.lines.findIndex(({ isKeyframe }, place) => place > 0 && isKeyframe);
    this.drop(next < 0 ? this.lines.length : next);
    if (next < 0) this.spent = Infinity;
  }

  stored(durable) {
    if (durable > this.durable) Object.assign(this, { durable, refused: 0 });
    const next = this.lines.findIndex(({ seq }) => seq > durable);
    this.drop(next < 0 ? this.lines.length : next);
  }

  /** Continues after the last durable entry, on a new connection. */
  resume(durable) {
    this.stored(durable);
    this.durable = this.sent = durable;
    const [first] = this.lines;
    if (first && first.seq > durable + 1 && !first.isKeyframe) this.dropGroup();
  }

  gap(seq) {
    return { lost: seq - this.sent - 1, why: "the recorder had no room for them" };
  }

  /** The next entries as one message; false when all are sent. */
  batch() {
    const texts = [];
    let size = 0;
    for (const line of this.lines.slice(-(this.seq - this.sent) || Infinity)) {
      if (line.seq <= this.sent) continue;
      // After a gap comes a keyframe. Its patch has nothing to apply to.
      const rest = line.seq > this.sent + 1 ? `,"gap":${write(this.gap(line.seq))}` : line.patch;
      const text = `{"seq":${line.seq},${line.event}${rest}}`;
      size += bytes(text).length + 1;
      if (texts.length === BATCH_ENTRIES || texts.length > 0 && size > BATCH_BYTES) break;
      texts.push(text);
      this.sent = line.seq;
    }
    const { timeline } = this.header;
    return texts.length > 0 && `{"type":"append","timeline":"${timeline}","entries":[${texts}]}`;
  }
}

/** An app. Keeps the entries of its machines until the daemon has stored them. */
export class Recorder {
  /** `memory` limits the characters of waiting entries; beyond it, the oldest are dropped. */
  constructor(app, address, secret, memory = 16 * 1024 * 1024) {
    Object.assign(this, { app, address, secret: secret.trim(), memory, size: 0, machines: [] });
    // Identifies this recorder if the daemon has not noticed that the last connection is lost.
    Object.assign(this, { isReady: false, isClosed: false, waiting: [], run: crypto.randomUUID() });
    this.wait = FIRST_WAIT;
    this.connect();
  }

  /** Starts recording, unless there are a thousand machines. For `make`: see host.py. */
  machine(name, state, make) {
    const machine = new Machine(this, name, state, make);
    if (this.machines.length < TIMELINES) this.machines.push(machine);
    else machine.end();
    this.push();
    return machine;
  }

  /** Whether everything is stored. */
  get isSettled() {
    return this.size === 0;
  }

  makeRoom() {
    while (this.size > this.memory) {
      this.machines.reduce((one, other) => other.size > one.size ? other : one).dropGroup();
    }
  }

  /** Waits at most so long until everything is stored, and ends. Returns whether it is. */
  async close(milliseconds = 5000) {
    const settled = new Promise((resolve) => this.waiting.push(resolve));
    this.push();
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, milliseconds))]);
    this.isClosed = true;
    for (const machine of this.isReady ? this.machines : []) {
      if (machine.isOff) continue;
      const isLost = machine.seq > machine.sent;
      const gap = isLost ? { gap: machine.gap(machine.seq + 1) } : {};
      this.send({ type: "close", timeline: machine.header.timeline, ...gap });
    }
    this.socket.close();
    return this.isSettled;
  }

  async proof(who, nonces) {
    const how = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", bytes(this.secret), how, false, ["sign"]);
    return hex(await crypto.subtle.sign("HMAC", key, bytes(`states-debugger/1 ${who} ${nonces}`)));
  }

  connect() {
    const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
    const socket = this.socket = new WebSocket(this.address, ["recorder.v1"]);
    this.send = (message) => socket.send(JSON.stringify(message));
    const limit = setTimeout(() => this.isReady || socket.close(), GREETING);
    socket.onopen = () => this.send({ type: "hello", version: "1.0", nonce });
    socket.onmessage = ({ data }) =>
      this.receive(JSON.parse(data), nonce).catch((problem) => {
        this.problem = problem;
        socket.close();
      });
    socket.onclose = ({ reason }) => {
      clearTimeout(limit);
      this.isReady = false;
      this.problem ??= reason;
      if (!this.isClosed) setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  async receive(message, nonce) {
    const machine = this.machines.find(({ header }) => header.timeline === message.timeline);
    switch (message.type) {
      case "challenge":
        return await this.answer(message, nonce);
      case "welcome":
        this.welcome(message);
        break;
      case "credit":
        this.credit += message.bytes;
        break;
      case "ack":
        machine?.stored(message.durable);
        break;
      case "gone":
        machine?.begin(machine.state);
        break;
      case "error":
        if (machine) this.refuse(machine);
        throw new Error(message.message);
    }
    this.push();
  }

  async answer(challenge, nonce) {
    const { socket } = this;
    const nonces = `${nonce} ${challenge.nonce}`;
    if (challenge.proof !== await this.proof("daemon", nonces)) {
      throw new Error("The daemon at that address does not know the secret.");
    }
    socket.isProved = true;
    const timelines = this.machines.filter(({ isOff }) => !isOff)
      .map(({ header }) => header.timeline);
    const proof = await this.proof("recorder", nonces);
    this.send({ type: "hello", version: "1.0", run: this.run, timelines, proof });
  }

  welcome({ credit, durable }) {
    if (!this.socket.isProved) throw new Error("It did not prove that it knows the secret.");
    Object.assign(this, { isReady: true, problem: undefined, credit, wait: FIRST_WAIT });
    for (const machine of this.machines) {
      machine.resume(durable[machine.header.timeline] ?? -1);
      machine.isOpen = machine.isOff;
    }
  }

  /** After three refusals, begins a new timeline; after three more, stops recording. */
  refuse(machine) {
    machine.refused += 1;
    if (machine.refused === 3) machine.begin(machine.state);
    if (machine.refused === 6) machine.end();
  }

  /** Sends as much as the credit allows. */
  push() {
    if (this.isSettled) this.waiting.splice(0).forEach((resolve) => resolve());
    if (!this.isReady || this.isClosed) return;
    // In turns, so that no machine starves when the credit is too small for all.
    this.machines.push(...this.machines.splice(0, 1));
    for (const machine of this.machines) {
      if (!machine.isOpen) this.send({ type: "open", header: machine.header });
      machine.isOpen = true;
      while (this.credit > 0) {
        const frame = machine.batch();
        if (!frame) break;
        this.socket.send(frame);
        this.credit -= bytes(frame).length;
      }
    }
  }
}
