import type { BodyInput } from '@sluice/contract/route'
import type { explainRouting } from '@sluice/contract/routes/routing'
import type { ExplainSearch } from './explain-search.ts'

export const DEFAULT_GROUP = 'default'
export const CHAT_PATH = '/v1/chat/completions'

/** Paths that clients request most; the address can hold any other. */
export const EXPLAINED_PATHS = [
  CHAT_PATH,
  '/v1/responses',
  '/v1/messages',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/rerank',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
] as const

export function explainBody(search: ExplainSearch): BodyInput<typeof explainRouting> {
  const { model, user, token, group, path, channel, session } = search
  return {
    model,
    ...(user !== undefined
      ? { user_id: user }
      : token !== undefined
        ? { token_id: token }
        : { group: group || DEFAULT_GROUP }),
    path: path || CHAT_PATH,
    ...(channel === undefined ? {} : { channel }),
    session,
  }
}

const NAMES = ['model', 'user', 'token', 'group', 'path', 'channel', 'session'] as const

/** Whether two addresses ask the same question, whatever the order of their parameters. */
export function isSameQuestion(a: ExplainSearch, b: ExplainSearch): boolean {
  return NAMES.every((name) => a[name] === b[name])
}
