/**
 * Clocks of replicas differ by less than an hour. A moment further ahead than that of the database's clock was written by a clock
 * that was ahead itself, and holds nothing back: otherwise that would last until its day comes.
 */
export const CLOCKS_DIFFER_MS = 3_600_000

/** Codes, links, ceremonies and sign-ins under way live for minutes. One that seems to live longer than this is over. */
export const LONGEST_PROOF_MS = 2 * CLOCKS_DIFFER_MS
