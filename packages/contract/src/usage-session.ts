import * as v from 'valibot'
import { essential } from './absence.ts'
import { exactQuota, unixSeconds, wholeQuota } from './scalars.ts'

/** A session as logs and lists name it: 22 characters that stand for its token and the name that the client gave. */
export const SESSION_FORM = '[A-Za-z0-9_-]{22}'

/** The calls of one token that their client put under one name, added up. */
export const usageSession = v.object({
  session: essential(v.string()),
  token_id: v.number(),
  /** Of the last call, like the client. */
  token_name: v.string(),
  user_id: v.number(),
  username: v.string(),
  /** Family of the program that called, such as `claude-code`; `other` when it is not known. */
  client: v.string(),
  /** In the order of their first call; no more than the first eight. */
  models: v.array(v.string()),
  /** When the first call began, and when the last one was charged. */
  first_at: unixSeconds,
  last_at: unixSeconds,
  calls: v.number(),
  quota: wholeQuota,
  quota_exact: exactQuota,
  /** What the cached tokens would have cost more at the full prices of their calls. */
  saved_quota: wholeQuota,
  saved_quota_exact: exactQuota,
  /** All input, the cached part of it, and what was written to caches. */
  prompt_tokens: v.number(),
  cached_prompt_tokens: v.number(),
  cache_write_5m_tokens: v.number(),
  cache_write_1h_tokens: v.number(),
  /** All output, and the reasoning in it. */
  completion_tokens: v.number(),
  reasoning_tokens: v.number(),
})
export type UsageSession = v.InferOutput<typeof usageSession>
