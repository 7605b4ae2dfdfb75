/** Stands for a number that no server has told: NaN, as `read-reply.ts` has it. */
export const UNKNOWN = '—'
