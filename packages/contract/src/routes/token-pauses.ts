import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { exactQuota, unixMs, wholeQuota } from '../scalars.ts'

export const PAUSE_RULES = ['session', 'loop'] as const

export const tokenPause = v.object({
  token_id: rowId,
  token_name: v.string(),
  rule: v.picklist(PAUSE_RULES),
  /** Digest of the session or body; `day 2026-01-31` for a day's calls without a session. */
  subject: v.string(),
  /** Cost of the session; 0 for a loop. */
  quota: wholeQuota,
  quota_exact: exactQuota,
  /** What the owner allows the session in addition to the token's amount. */
  allowance: wholeQuota,
  paused: unixMs,
  /** When the pause ends automatically; 0 for never. */
  until: v.pipe(v.number(), v.integer()),
})
export type TokenPause = v.InferOutput<typeof tokenPause>

export const listTokenPauses = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/token/pauses',
  access: 'tokens.own',
  summary: 'Sessions and loops that the rules of one’s own tokens have paused, newest first; at most 100',
  data: v.array(tokenPause),
})
export const releaseTokenPause = defineRoute({
  method: 'POST',
  path: '/api/token/pauses/release',
  access: 'tokens.own',
  summary: 'Release a paused session, which may then cost the same amount again, or a loop, whose count restarts',
  body: v.object({
    token_id: rowId,
    rule: v.picklist(PAUSE_RULES),
    subject: v.pipe(v.string(), v.maxLength(100)),
  }),
})
