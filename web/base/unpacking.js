/** Limits of what the page unpacks. */

/** More bytes than this are not unpacked: the page holds them in memory. */
export const MAXIMUM_UNPACKED = 1024 * 1024 * 1024;
