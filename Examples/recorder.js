// A recorder in a browser's JavaScript, by docs/protocol.md and nothing else.
//
//   const recorder = new Recorder("Counter", "ws://127.0.0.1:7357/", secret);
//   const counter = recorder.machine("counter", { n: 0 });
//   counter.record({ add: { by: 2 } }, { n: 2 });
//
// A page reaches no Unix socket, so it needs the secret, the text of the daemon's file
// recorder.secret, and the daemon must let its origin in: --origin http://127.0.0.1:8000

const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const copy = (value) => JSON.parse(JSON.stringify(value));

/** From one object to the other, member by member. */
function patch(old, now) {
  const path = (key) => "/" + key.replaceAll("~", "~0").replaceAll("/", "~1");
  const isSame = (key) => JSON.stringify(old[key]) === JSON.stringify(now[key]);
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key) => {
    if (!Object.hasOwn(now, key)) return [{ op: "remove", path: path(key) }];
    if (!Object.hasOwn(old, key)) return [{ op: "add", path: path(key), value: now[key] }];
    return isSame(key) ? [] : [{ op: "replace", path: path(key), value: now[key] }];
  });
}

/** One machine: its timeline, and the entries that are not durable yet. Its states are objects. */
class Machine {
  constructor(recorder, name, state) {
    Object.assign(this, { recorder, name }).begin(copy(state));
  }

  /** Begins a timeline; once more when the daemon's was deleted. */
  begin(state) {
    Object.assign(this, { state, seq: 0, spent: 0, sent: -1, began: performance.now() });
    this.header = {
      timeline: crypto.randomUUID(),
      app: { name: this.recorder.app, host: location.host },
      machine: { type: this.name, name: this.name },
      started: new Date().toISOString(),
      format: 1,
    };
    this.lines = [{ seq: 0, text: JSON.stringify({ seq: 0, t: 0, state }) }];
    this.recorder.push();
  }

  /** The event, and the state after it: JSON both, and copied. */
  record(event, state) {
    const now = copy(state);
    const change = patch(this.state, now);
    const t = Math.round((performance.now() - this.began) * 1000);
    const entry = { seq: ++this.seq, t, event, patch: change };
    // A keyframe when the patches since the last one are as long as the state.
    this.spent += JSON.stringify(change).length;
    if (this.spent >= JSON.stringify(now).length) [entry.state, this.spent] = [now, 0];
    this.state = now;
    this.lines.push({ seq: this.seq, text: JSON.stringify(entry) });
    this.recorder.push();
  }
}

/** An app; what its machines record is kept until the daemon has stored it. */
export class Recorder {
  constructor(app, address, secret) {
    Object.assign(this, { app, address, secret: secret.trim(), machines: [], ready: false });
    this.connect();
  }

  machine(name, state) {
    this.machines.push(new Machine(this, name, state));
    this.push();
    return this.machines.at(-1);
  }

  /** Whether everything is stored. */
  get isSettled() {
    return this.machines.every((machine) => machine.lines.length === 0);
  }

  async proof(who, nonces) {
    const how = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", bytes(this.secret), how, false, ["sign"]);
    return hex(await crypto.subtle.sign("HMAC", key, bytes(`states-debugger/1 ${who} ${nonces}`)));
  }

  connect() {
    const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
    const socket = this.socket = new WebSocket(this.address, ["recorder.v1"]);
    this.say = (message) => socket.send(JSON.stringify(message));
    socket.onopen = () => this.say({ type: "hello", version: "1.0", nonce });
    socket.onmessage = ({ data }) =>
      this.take(JSON.parse(data), nonce).catch((problem) => {
        this.problem = problem;
        socket.close();
      });
    socket.onclose = ({ reason }) => {
      this.ready = false;
      this.problem ??= reason;
      setTimeout(() => this.connect(), 500);
    };
  }

  async take(message, nonce) {
    if (message.type === "error") throw new Error(message.message);
    if (message.type === "challenge") {
      const nonces = `${nonce} ${message.nonce}`;
      if (message.proof !== await this.proof("daemon", nonces)) {
        throw new Error("Who answers there does not know the secret.");
      }
      const timelines = this.machines.map((machine) => machine.header.timeline);
      const proof = await this.proof("recorder", nonces);
      this.say({ type: "hello", version: "1.0", timelines, proof });
    }
    if (message.type === "welcome") {
      Object.assign(this, { ready: true, problem: null, credit: message.credit });
    }
    if (message.type === "credit") this.credit += message.bytes;
    for (const machine of this.machines) {
      const { timeline } = machine.header;
      const isMeant = message.timeline === timeline;
      const durable = isMeant ? message.durable : message.durable?.[timeline];
      if (message.type === "welcome") machine.sent = -1;
      if (durable != null) machine.lines = machine.lines.filter((line) => line.seq > durable);
      if (message.type === "gone" && isMeant) machine.begin(machine.state);
    }
    this.push();
  }

  /** Sends what the credit allows. */
  push() {
    for (const machine of this.ready ? this.machines : []) {
      const lines = machine.lines.filter((line) => line.seq > machine.sent).slice(0, 1000);
      if (lines.length === 0 || this.credit <= 0) continue;
      const { timeline } = machine.header;
      const entries = lines.map((line) => line.text).join(",");
      const frame = `{"type":"append","timeline":"${timeline}","entries":[${entries}]}`;
      this.say({ type: "open", header: machine.header });
      this.socket.send(frame);
      machine.sent = lines.at(-1).seq;
      this.credit -= bytes(frame).length;
    }
  }
}
