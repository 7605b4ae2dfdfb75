import { messagesFormat } from '@sluice/dialects/anthropic/client-format'
import type { ClientFormat } from '@sluice/dialects/client-format'
import { geminiFormat } from '@sluice/dialects/gemini/client-format'
import { openAiFormat } from '@sluice/dialects/openai-chat/client-format'
import { responsesFormat } from '@sluice/dialects/openai-responses/client-format'
import type { Accepted } from '../../edge/exchange.ts'

/** Formats of the dialects that have their own paths; all others use OpenAI's format. */
const BY_PATH: readonly (readonly [prefix: string, voice: ClientFormat])[] = [
  ['/v1/responses', responsesFormat],
  ['/v1/messages', messagesFormat],
  ['/v1beta/', geminiFormat],
  ['/upload/', geminiFormat],
]
/** Google's actions under `/v1`, the version that other vendors also use. */
const ACTION = /^\/v1\/models\/.+:(?:\w+Contents?|countTokens)$/

/** Paths that clients of several families call, offered or not. */
const SHARED = /^\/v1\/(?:models|files|skills|organizations)(?:\/|$)/

/** The format for a path's caller, known even before the body is read, and for paths that are not served. */
export function formatFor({ path, headers }: Pick<Accepted, 'path' | 'headers'>): ClientFormat {
  const own = BY_PATH.find(([prefix]) => path.startsWith(prefix))?.[1]
  if (own !== undefined) return own
  if (ACTION.test(path)) return geminiFormat
  return SHARED.test(path) ? OF_FAMILY[familyOf(headers)] : openAiFormat
}

/** For paths that all families use: Anthropic's clients always name their version, Google's send their key in its own header. */
export function familyOf(headers: Accepted['headers']): keyof typeof OF_FAMILY {
  if (headers['anthropic-version'] !== undefined) return 'anthropic'
  return headers['x-goog-api-key'] === undefined ? 'openai' : 'gemini'
}

const OF_FAMILY = { openai: openAiFormat, anthropic: messagesFormat, gemini: geminiFormat } as const
