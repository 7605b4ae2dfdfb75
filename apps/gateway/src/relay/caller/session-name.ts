import { hash } from 'node:crypto'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import { keySet } from '@sluice/dialects/splice/key-set'
import { arrayElements, isScanFault, parseScalar, scanObject, type Span } from '@sluice/dialects/splice/scan'
import type { Connection } from '../../edge/exchange.ts'
import type { Authorised } from '../stages/authorised.ts'
import type { Identity } from '../stages/identity.ts'

/** Used by Claude Code, Codex (both spellings), our own clients and opencode. `x-client-request-id` can differ per request. */
const HEADERS = [
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'x-session-id',
  'x-session-affinity',
  'x-opencode-session',
] as const
const NAME_MAX = 200
/**
 * Providers cache prompts from about 1,024 tokens on. A longer body begins with the same bytes in every turn of a conversation, at
 * least up to the user's first message.
 */
const PREFIX_BYTES = 4_096

/**
 * Name of the conversation that a request belongs to: given by the client in a header or in the body, otherwise derived from the
 * beginning of the body. On a websocket the connection is used instead of the beginning. Undefined for requests that do not benefit
 * from a cache. Names of two tokens never collide.
 */
export function sessionName(
  headers: Headers,
  token: Token,
  body: Buffer | undefined,
  connection?: Pick<Connection, 'id'>,
): string | undefined {
  const named = namedSession(headers, token, body) ?? (connection && `${token.tokenId} ${connection.id}`)
  if (named !== undefined || body === undefined || body.length < PREFIX_BYTES) return named
  const end = Math.min(PREFIX_BYTES, firstQuestionEnd(body) ?? PREFIX_BYTES)
  return `${token.tokenId} ${hash('sha1', body.subarray(0, end), 'base64')}`
}

type Headers = Authorised['accepted']['headers']
type Token = Pick<Identity, 'tokenId'>

function namedSession(headers: Headers, { tokenId }: Token, body: Buffer | undefined): string | undefined {
  const named = headerName(headers) ?? (body && nameIn(body))
  return named === undefined ? undefined : `${tokenId} ${named.slice(0, NAME_MAX)}`
}

function headerName(headers: Headers): string | undefined {
  for (const header of HEADERS) {
    const named = headers[header]
    if (typeof named === 'string' && named !== '') return named
  }
  return undefined
}

/** 128 bits: names never collide, and a log row stays small. */
const DIGEST_LENGTH = 22

/**
 * The session of a request in logs and sums: a digest (22 characters of base64url) of the token and the client's name for the
 * session, so that no name is stored, and a made-up name reaches only the sessions of its own token. Empty if the client gave no
 * name. The beginning of the body does not count here, because all conversations with the same system prompt begin alike. Nor does
 * a websocket: the guard counts calls without a session per day, and a new connection must not circumvent that.
 */
export function sessionDigest(headers: Headers, token: Token, body: Buffer | undefined): string {
  const named = namedSession(headers, token, body)
  return named === undefined ? '' : hash('sha256', named, 'base64url').slice(0, DIGEST_LENGTH)
}

const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const NAME_KEYS = keySet('prompt_cache_key', 'metadata')
const METADATA_KEYS = keySet('user_id')
const TURNS_KEYS = keySet('messages', 'contents', 'input')
const TURN_KEYS = keySet('role')

/** OpenAI's `prompt_cache_key`, or the session in the `metadata.user_id` of Claude Code. Form bodies name no session. */
function nameIn(body: Buffer): string | undefined {
  if (body[0] !== OPEN_OBJECT) return undefined
  // Most bodies contain neither word, and checking for that takes a tenth of the time of a scan.
  if (!body.includes('prompt_cache_key', 0, 'latin1') && !body.includes('user_id', 0, 'latin1')) return undefined
  const scanned = scanObject(body, NAME_KEYS, { duplicates: 'last' })
  if (isScanFault(scanned)) return undefined
  const { prompt_cache_key: key, metadata } = scanned.values
  return textAt(body, key) ?? (metadata && sessionOf(body, metadata))
}

/** Where the user's first message ends, if within the prefix; later bytes can change in the next turn, as in Gemini CLI. */
function firstQuestionEnd(body: Buffer): number | undefined {
  if (body[0] !== OPEN_OBJECT) return undefined
  const scanned = scanObject(body, TURNS_KEYS, { duplicates: 'last' })
  if (isScanFault(scanned)) return undefined
  const { messages, contents, input } = scanned.values
  const turns = messages ?? contents ?? input
  if (turns === undefined || body[turns.start] !== OPEN_ARRAY) return undefined
  for (const { start, end } of arrayElements(body, turns)) {
    if (end > PREFIX_BYTES) return undefined
    if (body[start] !== OPEN_OBJECT) continue
    const turn = scanObject(body, TURN_KEYS, { at: start, end, duplicates: 'last' })
    if (!isScanFault(turn) && textAt(body, turn.values.role) === 'user') return end
  }
  return undefined
}

function sessionOf(body: Buffer, { start, end }: Span): string | undefined {
  const scanned = scanObject(body, METADATA_KEYS, { at: start, end, duplicates: 'last' })
  const user = isScanFault(scanned) ? undefined : textAt(body, scanned.values.user_id)
  if (user === undefined || user.length > USER_MAX) return undefined
  // `user_…_account_…_session_<uuid>`; newer versions write an object as text.
  const [, session] = /_session_([\w-]+)$/.exec(user) ?? []
  const reported = session ?? asObject(parseJson(user))?.['session_id']
  return typeof reported === 'string' && reported !== '' ? reported : undefined
}

/** Claude Code's values have fewer than 300 characters. */
const USER_MAX = 1_000

function textAt(body: Buffer, span: Span | undefined): string | undefined {
  const text = span && parseScalar(body, span)
  return typeof text === 'string' && text !== '' ? text : undefined
}
