import { LIMIT_MAX, type Token } from '@sluice/contract/token'
import * as v from 'valibot'
import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from '../texts/en.ts'

/** What a token may ask for, in the order of the fields: requests and tokens in a minute, requests at the same time. */
export const REQUEST_LIMITS = ['rpm', 'tpm', 'concurrency'] as const
export type RequestLimit = (typeof REQUEST_LIMITS)[number]

/** What the fields hold: null for no limit, NaN while a field holds something that is no number. */
export type RequestLimitFields = Record<RequestLimit, number | null>
/** As the gateway has them: 0 for no limit. */
export type RequestLimits = Record<RequestLimit, number>

export const NO_REQUEST_LIMITS: RequestLimitFields = { rpm: null, tpm: null, concurrency: null }

/** The fields as they show the limits of a stored token. */
export function fieldsOfLimits({ rpm, tpm, concurrency }: Pick<Token, RequestLimit>): RequestLimitFields {
  return { rpm: rpm || null, tpm: tpm || null, concurrency: concurrency || null }
}

/** Rules of the fields in the visitor’s language. */
export function requestLimitsSchema(t: Translation<typeof en>): v.GenericSchema<RequestLimitFields, RequestLimits> {
  const field = v.pipe(
    v.nullable(
      v.pipe(
        v.number(t.limitWhole),
        v.integer(t.limitWhole),
        v.minValue(1, t.limitTooSmall),
        v.maxValue(LIMIT_MAX, t.limitTooLarge),
      ),
    ),
    v.transform((limit) => limit ?? 0),
  )
  return v.object({ rpm: field, tpm: field, concurrency: field })
}
