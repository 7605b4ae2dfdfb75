import * as v from 'valibot'

/** Response token of the bot challenge; required while the status has `turnstile_check` set. */
export const turnstile = v.optional(v.pipe(v.string(), v.maxLength(2_048)), '')
