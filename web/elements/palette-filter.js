/** The choice of the palette that filters by what was typed. */

import { typedFilter } from "../model/predicate/typed-filter.js";

/** @import { Inspector } from "../model/inspector/inspector.js" */

/**
 * Filtering by what was typed, as a choice.
 *
 * @param {Inspector} inspector
 * @param {string} typed
 * @returns {{ title: string, detail: string, choose: () => void }[]} nothing without a timeline
 */
export function filtersBy(inspector, typed) {
  const { data, moment: { shown } } = inspector;
  const filter = typedFilter(typed, shown?.is === "known" ? shown : undefined);
  if (!data || filter === undefined) return [];
  const text = typed.trim();
  return [{
    title: `Filter by “${text}”`,
    detail: filter === text ? "events" : filter,
    choose: () => {
      inspector.setFilter(filter);
      void inspector.travel.goToFirstMatch();
    },
  }];
}
