import { LIMIT_MAX, type Token } from '@sluice/contract/token'
import * as v from 'valibot'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from '../texts/en.ts'

/**
 * Limits of a token, in the order of the fields: requests and tokens per minute, concurrent requests, calls with the same body per
 * minute, quota points of one session.
 */
export const REQUEST_LIMITS = ['rpm', 'tpm', 'concurrency', 'repeat_rpm', 'session_quota'] as const
export type RequestLimit = (typeof REQUEST_LIMITS)[number]

/** The values of the fields: null for no limit, NaN while a field holds something that is not a number. */
export type RequestLimitFields = Record<RequestLimit, number | null>
/** The gateway's values: 0 for no limit. */
export type RequestLimits = Record<RequestLimit, number>

export const NO_REQUEST_LIMITS: RequestLimitFields = {
  rpm: null,
  tpm: null,
  concurrency: null,
  repeat_rpm: null,
  session_quota: null,
}

/** The field values for the limits of a stored token. */
export function fieldsOfLimits(limits: Pick<Token, RequestLimit>): RequestLimitFields {
  const { rpm, tpm, concurrency, repeat_rpm: repeats, session_quota: session } = limits
  return {
    rpm: rpm || null,
    tpm: tpm || null,
    concurrency: concurrency || null,
    repeat_rpm: repeats || null,
    session_quota: session || null,
  }
}

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
  return v.object({ rpm: field, tpm: field, concurrency: field, repeat_rpm: field, session_quota: field })
}
