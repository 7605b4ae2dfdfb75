import * as v from 'valibot'
import { defineRoute } from '../route.ts'
import { rowId } from '../row-id.ts'
import { exactQuota, unixMs, wholeQuota } from '../scalars.ts'

export const PAUSE_RULES = ['session', 'loop'] as const

/** A session, or a body that came too often, which a rule of a token has paused. */
export const tokenPause = v.object({
  token_id: rowId,
  token_name: v.string(),
  rule: v.picklist(PAUSE_RULES),
  /** Digest of the session or of the body; `day 2026-01-31` for the calls of a day that named no session. */
  subject: v.string(),
  /** What the session has cost; 0 for a loop. */
  quota: wholeQuota,
  quota_exact: exactQuota,
  /** What the token's owner has allowed the session beyond the token's amount. */
  allowance: wholeQuota,
  paused: unixMs,
  /** When the pause ends automatically; 0 if never. */
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
