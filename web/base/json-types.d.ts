// Types that JSDoc cannot express: an array of itself. The page never loads this file.

import type { ExactNumber } from "./json.js";

/** A JSON value as the page holds it. */
export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject;

/** A JSON object. */
export type JsonObject = { [key: string]: Json };
