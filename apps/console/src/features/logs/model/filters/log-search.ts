import type { LOG_TYPE } from '@sluice/contract/log'
import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries, textFromAddress } from '~/lib/list/list-search.ts'
import { optionalRowId } from '~/lib/list/row-calls.ts'

/** Defined here because the shell loads this file, and importing the contract's schemas of logs would load those too. */
const LOG_TYPES = [0, 1, 2, 3, 4, 5] as const satisfies readonly (typeof LOG_TYPE)[keyof typeof LOG_TYPE][]
const optionalSeconds = v.optional(v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))), undefined))
const text = v.optional(v.fallback(textFromAddress, ''), '')

export const logSearch = v.object({
  ...listSearchEntries(),
  /** 0 means every type. */
  type: v.optional(v.fallback(v.picklist(LOG_TYPES), 0), 0),
  model: text,
  token: text,
  /** Ignored without `logs.all`. */
  username: text,
  /** Channel id; ignored without `logs.all`. */
  channel: optionalRowId,
  session: text,
  /** Unix seconds; when absent, the start of the default window, which moves on with the clock. */
  start: optionalSeconds,
  end: optionalSeconds,
  stats: v.optional(v.fallback(v.boolean(), false), false),
  chart: v.optional(v.fallback(v.picklist(['rows', 'cost', 'off']), 'rows'), 'rows'),
  live: v.optional(v.fallback(v.boolean(), false), false),
  id: optionalRowId,
})
export type LogSearch = v.InferOutput<typeof logSearch>

export const LOG_DEFAULTS = {
  ...LIST_DEFAULTS,
  type: 0,
  model: '',
  token: '',
  username: '',
  session: '',
  stats: false,
  chart: 'rows',
  live: false,
} as const
