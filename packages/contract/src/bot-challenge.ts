import * as v from 'valibot'

/** Response token of the bot challenge; needed while `turnstile_check` of the status says so. */
export const turnstile = v.optional(v.pipe(v.string(), v.maxLength(2_048)), '')
