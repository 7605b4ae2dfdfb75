export const CONNECT_TIMEOUT_MS = 10_000
/** For one statement, at the server. */
export const STATEMENT_TIMEOUT_MS = 300_000
/** What the network may add before a connection counts as dead. */
export const GRACE_MS = 10_000
