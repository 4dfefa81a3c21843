/** Exporting: what as, which stretch, what a test asserts, and what comes out. */

import { decodeBase64 } from "../base/bytes.js";
import { formatBytes, formatCount, formatNumbered } from "../base/format.js";
import { visible } from "../base/text.js";
import {
  ASSERTIONS,
  ExportDraft,
  FORMATS,
  hasOutputs,
  offeredPaths,
} from "../model/verification/export-draft.js";
import { testAdvice } from "../model/verification/test-advice.js";
import { tokensOf } from "../model/verification/highlight.js";
import { RequestError } from "../wire/requests.js";
import { copyText } from "./clipboard.js";
import { disable } from "./disabling.js";
import { h, setAttribute, setText, show } from "./dom.js";
import { actButton, labeled, WindowView } from "./window.js";

/** Longer stretches are not written again with every key: they wait for a press of the button. */
const QUICK = 2_000;

/** Characters of a preview that are drawn. */
const MAXIMUM_SHOWN = 30_000;

/** How long a person may pause while typing, in milliseconds. */
const PAUSE = 250;

/** A file that came out: a test has its fixture beside it. @typedef {{ name: string, bytes: Uint8Array<ArrayBuffer>, text: string }} Exported */

export class ExportView extends WindowView {
  static define(name = "tt-export") {
    customElements.define(name, ExportView);
  }

  /** Saves a file; set by the page. @type {(name: string, bytes: Uint8Array<ArrayBuffer>) => void} */
  save = () => {};
  #onlyOne = h("p", { class: "note" });
  #formats = h("div", { class: "choices", role: "radiogroup", "aria-label": "Format" });
  #assertions = h("select");
  #assertionLine = labeled("Asserts", this.#assertions);
  #never = h("input", { type: "text", spellcheck: "false", placeholder: "state.total < 0" });
  #neverLine = labeled("Must never hold", this.#never);
  #expect = h("input", { type: "text", spellcheck: "false", placeholder: "outputs.total == 0" });
  #expectLine = labeled("Must hold at the end", this.#expect);
  #name = h("input", { type: "text", spellcheck: "false" });
  #nameLine = labeled("Name", this.#name);
  #make = h("input", { type: "text", spellcheck: "false", placeholder: "Checkout()" });
  #makeLine = labeled("Swift expression that makes a new machine", this.#make);
  #from = h("input", { type: "text", inputmode: "numeric", placeholder: "the start" });
  #to = h("input", { type: "text", inputmode: "numeric", placeholder: "the end" });
  #paths = h("textarea", { rows: 3, spellcheck: "false", placeholder: "/state/count" });
  #pathsLine = labeled("Paths, one per line", this.#paths);
  #branches = h("input", { type: "checkbox" });
  #branchesLine = h(
    "label",
    { class: "check" },
    this.#branches,
    "With the results of edits around the cursor, which runs the reducer",
  );
  #files = h("div", { class: "files", role: "group", "aria-label": "Files", hidden: true });
  #preview = h("pre", {
    class: "preview",
    tabindex: 0,
    role: "group",
    "aria-label": "Preview",
  });
  #why = h("p", { class: "pane-note preview-why" });
  #note = h("p", { class: "note", role: "status" });
  #adviceText = h("span");
  #adviceCommand = h("code");
  /** What to do with the test that was saved. */
  #advice = h("p", { class: "muted", role: "status" }, this.#adviceText, this.#adviceCommand);
  #show = actButton("Show preview", () => void this.#export());
  #download = actButton("Download", () => void this.#saveIt(), { main: true, icon: "download" });
  #copy = actButton("Copy", () => void this.#copyIt(), { icon: "copy" });
  /** @type {ExportDraft | undefined} */
  #draft;
  /** What came out for the choices as they are. @type {Exported[] | undefined} */
  #exported;
  /** Which of them is shown. */
  #shown = 0;
  /** What is being fetched for them. @type {Promise<Exported[] | undefined> | undefined} */
  #pending;
  #abort = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;

  buildBody() {
    this.setTitle("Export");
    this.dialog.classList.add("wide");
    for (const { id, title, detail } of FORMATS) {
      const radio = h("input", { type: "radio", name: "export-format", value: id });
      radio.addEventListener("change", () =>
        this.#changed((draft) => {
          draft.format = id;
        }));
      this.#formats.append(
        h(
          "label",
          { class: "choice", title: detail },
          radio,
          h("span", {}, title),
          h("span", {
            class: "muted",
          }, detail),
        ),
      );
    }
    for (const { id, title, detail } of ASSERTIONS) {
      this.#assertions.append(h("option", { value: id, title: detail }, title));
    }
    this.#assertions.addEventListener("change", () =>
      this.#changed((draft) => {
        draft.assertion = ASSERTIONS.find(({ id }) => id === this.#assertions.value)?.id ??
          "changed-outputs";
      }));
    const texts = /** @type {const} */ ([
      ["never", this.#never],
      ["expect", this.#expect],
      ["name", this.#name],
      ["make", this.#make],
      [
        "from",
        this.#from,
      ],
      ["to", this.#to],
      ["paths", this.#paths],
    ]);
    for (const [key, input] of texts) {
      input.addEventListener("input", () =>
        this.#changed((draft) => {
          draft[key] = input.value;
        }));
    }
    this.#branches.addEventListener("change", () =>
      this.#changed((draft) => {
        draft.hasBranches = this.#branches.checked;
      }));
    this.body.append(
      h(
        "div",
        { class: "export-panes" },
        h(
          "div",
          { class: "export-choices" },
          this.#nameLine,
          this.#formats,
          this.#onlyOne,
          h("div", { class: "pair" }, labeled("From entry", this.#from), labeled("To", this.#to)),
          this.#branchesLine,
          this.#assertionLine,
          this.#neverLine,
          this.#expectLine,
          this.#pathsLine,
          this.#makeLine,
        ),
        h(
          "div",
          { class: "export-preview" },
          this.#files,
          this.#preview,
          h("div", { class: "preview-show" }, this.#why, this.#show),
        ),
      ),
      this.#advice,
      h(
        "footer",
        { class: "window-foot" },
        this.#note,
        h("span", { class: "grow" }),
        this.#copy,
        this.#download,
      ),
    );
  }

  /** @param {string} [failure] what the timeline was minimized to */
  open(failure) {
    const { summary, source, anchor, stretch, watch, moment, cursor } = this.inspector;
    if (!summary) return;
    const shown = moment.shown?.is === "known" ? moment.shown : undefined;
    this.#draft = new ExportDraft(summary, {
      isFile: source?.kind === "file",
      ...(anchor === undefined ? {} : { stretch }),
      paths: offeredPaths(watch?.paths ?? [], shown),
      failure,
      hasOutputs: hasOutputs(summary, shown),
      branchesAround: this.timeTravel.forking.whyNot === undefined ? cursor : undefined,
    });
    this.#branches.checked = false;
    for (const option of this.#assertions.options) {
      const id = ASSERTIONS.find(({ id }) => id === option.value)?.id ?? "final";
      option.hidden = option.disabled = !this.#draft.canAssert(id);
    }
    this.#never.value = this.#draft.never;
    this.#expect.value = this.#draft.expect;
    this.#name.value = this.#draft.name;
    this.#from.value = this.#draft.from;
    this.#to.value = this.#draft.to;
    this.#paths.value = this.#draft.paths;
    this.#make.value = "";
    this.#assertions.value = this.#draft.assertion;
    this.show();
    this.#changed(() => {});
    this.#download.focus();
  }

  closed() {
    this.#abort.abort();
    clearTimeout(this.#typing);
  }

  /** @param {(draft: ExportDraft) => void} change */
  #changed(change) {
    if (!this.#draft) return;
    change(this.#draft);
    this.#abort.abort();
    this.#exported = this.#pending = undefined;
    clearTimeout(this.#typing);
    setText(this.#note, "");
    this.#advise(undefined);
    this.invalidate();
    if (this.#draft.problem === undefined && this.#isQuick) {
      this.#typing = setTimeout(() => void this.#export(), PAUSE);
    }
  }

  get #isQuick() {
    const { from, to } = this.#draft?.request ?? {};
    const { data } = this.inspector;
    return (to ?? data?.last ?? 0) - (from ?? data?.first ?? 0) < QUICK;
  }

  renderBody() {
    const draft = this.#draft;
    if (!draft) return;
    for (const radio of this.#formats.querySelectorAll("input")) {
      const format = FORMATS.find(({ id }) => id === radio.value)?.id ?? "timeline";
      radio.checked = format === draft.format;
      disable(radio, draft.offers(format) ? undefined : draft.whyNotAll);
    }
    setText(this.#onlyOne, draft.whyNotAll ?? "");
    show(this.#onlyOne, draft.whyNotAll !== undefined);
    show(this.#assertionLine, draft.kind.isTest);
    show(this.#branchesLine, draft.asksForBranches);
    show(this.#neverLine, draft.asksForNever);
    show(this.#expectLine, draft.asksForExpect);
    show(this.#pathsLine, draft.asksForPaths);
    // Hidden, it would move the formats below from under the pointer.
    disable(this.#name, draft.kind.isTest ? undefined : "Only tests have a name.");
    setAttribute(this.#name, "placeholder", visible(draft.usualName));
    show(this.#makeLine, draft.asksForMake);
    const canExport = draft.problem === undefined;
    for (const button of [this.#download, this.#copy]) disable(button, draft.problem);
    const isShown = this.#exported !== undefined;
    show(this.#preview, isShown);
    show(this.#show, canExport && !isShown && !this.#isQuick);
    show(this.#why, !canExport);
    setText(this.#why, draft.problem ?? "");
    this.#renderFiles();
  }

  /** The files to choose from, where there are several. */
  #renderFiles() {
    const files = this.#exported ?? [];
    show(this.#files, files.length > 1);
    const names = files.map(({ name }) => name).join("\n");
    if (this.#files.dataset.names !== names) {
      this.#files.dataset.names = names;
      this.#files.replaceChildren(...files.map(({ name, bytes }, place) => {
        const choose = h(
          "button",
          { type: "button", class: "toggle" },
          `${visible(name)}, ${formatBytes(bytes.length)}`,
        );
        choose.addEventListener("click", () => {
          this.#shown = place;
          this.#draw();
          this.invalidate();
        });
        return choose;
      }));
    }
    [...this.#files.children].forEach((choose, place) =>
      setAttribute(choose, "aria-pressed", String(place === this.#shown))
    );
    setText(
      this.#download.lastElementChild ?? this.#download,
      files.length > 1 ? `Download ${formatNumbered(files.length, "file")}` : "Download",
    );
  }

  /** The file for the choices as they are: the one at hand, the one under way, or a new one. */
  #file() {
    clearTimeout(this.#typing);
    return this.#exported ?? this.#pending ?? this.#export();
  }

  /** Asks for the file, and shows its beginning. */
  #export() {
    this.#pending = this.#fetch();
    return this.#pending;
  }

  /** @returns {Promise<Exported[] | undefined>} */
  async #fetch() {
    const { source } = this.inspector;
    const draft = this.#draft;
    if (!source || !draft || draft.problem !== undefined) return undefined;
    this.#abort.abort();
    const abort = this.#abort = new AbortController();
    setText(this.#note, "Writing…");
    try {
      const reply = await source.ask(draft.request, { signal: abort.signal });
      const files = [reply, ...reply.further ?? []].map(readFile);
      if (abort.signal.aborted) return undefined;
      if (files.includes(undefined)) {
        setText(this.#note, "The page cannot read the daemon's answer.");
        return undefined;
      }
      this.#exported = files.filter((file) => file !== undefined);
      this.#shown = 0;
      const size = this.#exported.reduce((sum, { bytes }) => sum + bytes.length, 0);
      const what = this.#exported.length > 1
        ? formatNumbered(this.#exported.length, "file")
        : visible(reply.name);
      const missing = reply.note === undefined ? "" : `. ${visible(reply.note)}`;
      setText(this.#note, `${what}, ${formatBytes(size)}${missing}`);
      this.#draw();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code === "cancelled") return undefined;
      this.#pending = undefined;
      draft.refuse(error.path);
      setText(this.#note, error.message);
    }
    this.invalidate();
    return this.#exported;
  }

  /** Draws the beginning of the file that is shown. */
  #draw() {
    const { name, text } = this.#exported?.[this.#shown] ?? { name: "", text: "" };
    const own = this.#draft?.kind.colors ?? "plain";
    // A fixture has colors of its own.
    const colors = this.#shown === 0 ? own : name.endsWith(".swift") ? "swift" : "json";
    const shown = text.slice(0, MAXIMUM_SHOWN);
    const parts = tokensOf(shown, colors).map(({ is, text: part }) => {
      const safe = part.split("\n").map(visible).join("\n");
      return is === "text"
        ? document.createTextNode(safe)
        : h("span", { class: `token-${is}` }, safe);
    });
    const rest = text.length - shown.length;
    this.#preview.replaceChildren(
      ...parts,
      ...(rest > 0
        ? [h("span", { class: "muted" }, `\n… and ${formatCount(rest)} characters more`)]
        : []),
    );
    this.#preview.scrollTop = 0;
    setAttribute(this.#preview, "data-colors", colors);
  }

  async #saveIt() {
    const files = await this.#file();
    if (!files) return;
    for (const { name, bytes } of files) this.save(name, bytes);
    const advice = this.#draft?.kind.isTest ? testAdvice(files) : undefined;
    if (advice) this.#advise(advice);
    else this.close();
  }

  /** @param {{ text: string, command: string } | undefined} advice */
  #advise(advice) {
    setText(this.#adviceText, advice?.text ?? "");
    setText(this.#adviceCommand, advice?.command ?? "");
  }

  async #copyIt() {
    const file = (await this.#file())?.[this.#shown];
    if (!file) return;
    const isCopied = await copyText(file.text);
    setText(
      this.#note,
      isCopied ? "Copied." : "The browser does not allow copying. Download the file instead.",
    );
  }
}

/**
 * @param {{ name: string, data: string }} file
 * @returns {Exported | undefined} nothing when it is no base64
 */
function readFile({ name, data }) {
  const bytes = decodeBase64(data);
  return bytes && { name, bytes, text: new TextDecoder().decode(bytes) };
}
