import type { BodyInput } from '@sluice/contract/route'
import type { explainRouting } from '@sluice/contract/routes/routing'
import type { ExplainSearch } from './explain-search.ts'

const DEFAULT_GROUP = 'default'
const CHAT_PATH = '/v1/chat/completions'

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

/** The order of parameters does not matter. */
export function isSameQuestion(a: ExplainSearch, b: ExplainSearch): boolean {
  return NAMES.every((name) => a[name] === b[name])
}

export type Whose = 'group' | 'user' | 'token'

export interface ExplainDraft {
  readonly model: string
  readonly whose: Whose
  readonly group: string
  /** Id of the user or the token. */
  readonly id: string
  readonly path: string
  readonly channel: string
  readonly session: string
}

export function draftOf({ model, user, token, group, path, channel, session }: ExplainSearch): ExplainDraft {
  return {
    model,
    whose: user !== undefined ? 'user' : token !== undefined ? 'token' : 'group',
    group: group || DEFAULT_GROUP,
    id: String(user ?? token ?? ''),
    path: path || CHAT_PATH,
    channel: String(channel ?? ''),
    session,
  }
}

export type DraftProblem = 'model' | 'id' | 'channel'

export function searchOf(draft: ExplainDraft): ExplainSearch | ReadonlySet<DraftProblem> {
  const { whose } = draft
  const id = idOf(draft.id)
  const channel = idOf(draft.channel)
  const model = draft.model.trim()
  const problems = new Set<DraftProblem>()
  if (model === '') problems.add('model')
  if (whose !== 'group' && id === undefined) problems.add('id')
  if (draft.channel.trim() !== '' && channel === undefined) problems.add('channel')
  if (problems.size > 0) return problems
  return {
    model,
    user: whose === 'user' ? id : undefined,
    token: whose === 'token' ? id : undefined,
    group: whose === 'group' && draft.group !== DEFAULT_GROUP ? draft.group : '',
    path: draft.path === CHAT_PATH ? '' : draft.path,
    channel,
    session: draft.session.trim(),
    request: '',
  }
}

function idOf(text: string): number | undefined {
  return /^\s*[1-9]\d{0,9}\s*$/.test(text) ? Number(text) : undefined
}
