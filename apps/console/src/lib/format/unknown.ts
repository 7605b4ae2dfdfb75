/** Shown for a number that the server did not send: NaN, see `read-reply.ts`. */
export const UNKNOWN = '—'
