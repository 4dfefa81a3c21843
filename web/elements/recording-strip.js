/**
 * What is shown is the recording, and how it leads to branches. It takes the place of the strip of a
 * branch, so that nothing below moves when a branch is made or left.
 */

import { hostName, hostOf, placeText } from "../model/branches/hosts.js";
import { whatIfNote } from "../model/files/what-if.js";
import { awayNote, isAway } from "../model/sources/source.js";
import { h, icon, setAttribute, setText, show } from "./dom.js";
import { View } from "./view.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */

export class RecordingStripView extends View {
  static define(name = "tt-recording-strip") {
    customElements.define(name, RecordingStripView);
  }

  #text = h("span", { class: "strip-detail" });

  build() {
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Recording");
    this.append(icon("branch", "muted"), h("b", {}, "main"), this.#text);
  }

  render() {
    const { summary } = this.inspector;
    const isMain = summary !== undefined && summary.header.parent === undefined;
    const isShown = isMain && this.timeTravel.forking.canBranch;
    show(this, isShown);
    if (!isShown) return;
    const text = branchingNote(this.inspector);
    setText(this.#text, text);
    setAttribute(this.#text, "title", text || undefined);
  }
}

/** What making a branch does. @param {Inspector} inspector */
function branchingNote({ summary, hosts, source, connection }) {
  if (isAway({ source, connection })) return awayNote(source);
  if (source?.whatIf) return whatIfNote(source.whatIf);
  const host = hostOf(summary, hosts);
  return host
    ? `Edit, Skip, and Insert make a branch. ${hostName(host)} computes it, ${
      placeText(host)
    }. The recording stays as it is.`
    : "";
}
