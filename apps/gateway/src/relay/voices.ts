import { messagesVoice } from '@sluice/dialects/anthropic/voice'
import type { ClientVoice } from '@sluice/dialects/client-voice'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import { responsesVoice } from '@sluice/dialects/openai-responses/voice'
import type { Accepted } from '../edge/exchange.ts'

/** Voices of the dialects that have paths of their own; all others speak as OpenAI does. */
const BY_PATH: readonly (readonly [prefix: string, voice: ClientVoice])[] = [
  ['/v1/responses', responsesVoice],
  ['/v1/messages', messagesVoice],
]

/** How the caller of a path is spoken to: even before its body is read, and where the path is not served. */
export function voiceFor({ path }: Pick<Accepted, 'path'>): ClientVoice {
  return BY_PATH.find(([prefix]) => path.startsWith(prefix))?.[1] ?? openAiVoice
}
