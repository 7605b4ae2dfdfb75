import { messagesVoice } from '@sluice/dialects/anthropic/voice'
import type { ClientVoice } from '@sluice/dialects/client-voice'
import { geminiVoice } from '@sluice/dialects/gemini/voice'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import { responsesVoice } from '@sluice/dialects/openai-responses/voice'
import type { Accepted } from '../edge/exchange.ts'

/** Voices of the dialects that have paths of their own; all others speak as OpenAI does. */
const BY_PATH: readonly (readonly [prefix: string, voice: ClientVoice])[] = [
  ['/v1/responses', responsesVoice],
  ['/v1/messages', messagesVoice],
  ['/v1beta/', geminiVoice],
  ['/upload/', geminiVoice],
]
/** Google's actions under the version that others share. */
const ACTION = /^\/v1\/models\/.+:(?:\w+Contents?|countTokens)$/

/** Paths that clients of several families ask, whether they are offered or not. */
const SHARED = /^\/v1\/(?:models|files|skills|organizations)(?:\/|$)/

/** How the caller of a path is spoken to: even before its body is read, and where the path is not served. */
export function voiceFor({ path, headers }: Pick<Accepted, 'path' | 'headers'>): ClientVoice {
  const own = BY_PATH.find(([prefix]) => path.startsWith(prefix))?.[1]
  if (own !== undefined) return own
  if (ACTION.test(path)) return geminiVoice
  return SHARED.test(path) ? OF_FAMILY[familyOf(headers)] : openAiVoice
}

/**
 * Whose client asks at a path that all of them have: Anthropic's name their version with every request, Google's bring their
 * key in a header of their own.
 */
export function familyOf(headers: Accepted['headers']): keyof typeof OF_FAMILY {
  if (headers['anthropic-version'] !== undefined) return 'anthropic'
  return headers['x-goog-api-key'] === undefined ? 'openai' : 'gemini'
}

const OF_FAMILY = { openai: openAiVoice, anthropic: messagesVoice, gemini: geminiVoice } as const
