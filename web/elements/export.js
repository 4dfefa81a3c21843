/** Exporting: what as, which stretch, what a test asserts, and what comes out. */

import { decodeBase64 } from "../base/bytes.js";
import { formatBytes, formatCount } from "../base/format.js";
import { visible } from "../base/text.js";
import { ASSERTIONS, ExportDraft, FORMATS } from "../model/export-draft.js";
import { tokensOf } from "../model/highlight.js";
import { RequestError } from "../wire/requests.js";
import { h, setAttribute, setText, show } from "./dom.js";
import { actButton, labelled, WindowView } from "./window.js";

/** Longer stretches are not written again with every key: they wait for a press of the button. */
const QUICK = 2_000;

/** Characters of a preview that are drawn. */
const MOST_SHOWN = 30_000;

/** How long a person may pause while typing, in milliseconds. */
const PAUSE = 250;

/** What came out. @typedef {{ name: string, media: string, bytes: Uint8Array<ArrayBuffer>, text: string }} Exported */

export class ExportView extends WindowView {
  static define(name = "tt-export") {
    customElements.define(name, ExportView);
  }

  /** Saves a file; set by the page. @type {(name: string, bytes: Uint8Array<ArrayBuffer>) => void} */
  save = () => {};
  #formats = h("div", { class: "choices", role: "radiogroup", "aria-label": "What as" });
  #assertions = h("select");
  #assertionLine = labelled("Asserts", this.#assertions);
  #name = h("input", { type: "text", spellcheck: "false" });
  #nameLine = labelled("Name", this.#name);
  #make = h("input", { type: "text", spellcheck: "false", placeholder: "Checkout()" });
  #makeLine = labelled("A fresh machine, in Swift", this.#make);
  #from = h("input", { type: "text", inputmode: "numeric", placeholder: "the start" });
  #to = h("input", { type: "text", inputmode: "numeric", placeholder: "the end" });
  #paths = h("textarea", { rows: 3, spellcheck: "false", placeholder: "/state/count" });
  #pathsLine = labelled("Paths, one a line", this.#paths);
  #preview = h("pre", { class: "preview", tabindex: 0, "aria-label": "Preview" });
  #note = h("p", { class: "note", role: "status" });
  #show = actButton("Show a preview", () => void this.#export());
  #download = actButton("Download", () => void this.#saveIt(), { main: true, icon: "download" });
  #copy = actButton("Copy", () => void this.#copyIt(), { icon: "copy" });
  /** @type {ExportDraft | undefined} */
  #draft;
  /** What came out for the choices as they are. @type {Exported | undefined} */
  #exported;
  /** What is being fetched for them. @type {Promise<Exported | undefined> | undefined} */
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
    this.body.append(
      h(
        "div",
        { class: "export-panes" },
        h(
          "div",
          { class: "export-choices" },
          this.#formats,
          h("div", { class: "pair" }, labelled("From entry", this.#from), labelled("To", this.#to)),
          this.#assertionLine,
          this.#pathsLine,
          this.#nameLine,
          this.#makeLine,
        ),
        h(
          "div",
          { class: "export-preview" },
          this.#preview,
          h("div", { class: "preview-show" }, this.#show),
        ),
      ),
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

  open() {
    const { summary, source, anchor, stretch, watch } = this.inspector;
    if (!summary) return;
    this.#draft = new ExportDraft(summary, {
      isFile: source?.kind === "file",
      ...(anchor === undefined ? {} : { stretch }),
      paths: watch?.paths ?? [],
    });
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
    setText(this.#note, this.#draft.problem ?? "");
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
      radio.disabled = !draft.offers(format);
    }
    show(this.#assertionLine, draft.kind.isTest);
    show(this.#pathsLine, draft.asksForPaths);
    show(this.#nameLine, draft.kind.isTest);
    show(this.#makeLine, draft.asksForMake);
    const canExport = draft.problem === undefined;
    this.#download.disabled = this.#copy.disabled = !canExport;
    const isShown = this.#exported !== undefined;
    show(this.#preview, isShown);
    show(this.#show, canExport && !isShown && !this.#isQuick);
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

  /** @returns {Promise<Exported | undefined>} */
  async #fetch() {
    const { source } = this.inspector;
    const draft = this.#draft;
    if (!source || !draft || draft.problem !== undefined) return undefined;
    this.#abort.abort();
    const abort = this.#abort = new AbortController();
    setText(this.#note, "Writing…");
    try {
      const { name, media, data } = await source.ask(draft.request, { signal: abort.signal });
      const bytes = decodeBase64(data);
      if (abort.signal.aborted) return undefined;
      if (!bytes) {
        setText(this.#note, "What came cannot be read.");
        return undefined;
      }
      const text = new TextDecoder().decode(bytes);
      this.#exported = { name, media, bytes, text };
      setText(this.#note, `${visible(name)}, ${formatBytes(bytes.length)}`);
      this.#draw(text, draft.kind.colours);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code === "cancelled") return undefined;
      this.#pending = undefined;
      setText(this.#note, error.message);
    }
    this.invalidate();
    return this.#exported;
  }

  /**
   * @param {string} text
   * @param {string} colours
   */
  #draw(text, colours) {
    const shown = text.slice(0, MOST_SHOWN);
    const parts = tokensOf(shown, colours).map(({ is, text: part }) => {
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
    setAttribute(this.#preview, "data-colours", colours);
  }

  async #saveIt() {
    const exported = await this.#file();
    if (!exported) return;
    this.save(exported.name, exported.bytes);
    this.close();
  }

  async #copyIt() {
    const exported = await this.#file();
    if (!exported) return;
    try {
      await navigator.clipboard.writeText(exported.text);
      setText(this.#note, "It was copied.");
    } catch {
      setText(this.#note, "The browser did not allow copying; download it instead.");
    }
  }
}
