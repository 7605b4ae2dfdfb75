import { kindOf } from './kinds.ts'

/** A call that clients make of the gateway, under the family's name and number for it. */
export interface Endpoint {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly path: string
}

/** By the letter that stands for each in the table below. */
const BY_LETTER = {
  C: { id: 1, name: 'chat_completions', description: 'Chat completions', path: '/v1/chat/completions' },
  L: { id: 2, name: 'completions', description: 'Text completions', path: '/v1/completions' },
  E: { id: 3, name: 'embeddings', description: 'Embeddings', path: '/v1/embeddings' },
  O: { id: 4, name: 'moderations', description: 'Moderations', path: '/v1/moderations' },
  I: { id: 5, name: 'images_generations', description: 'Image generation', path: '/v1/images/generations' },
  S: { id: 7, name: 'audio_speech', description: 'Text to speech', path: '/v1/audio/speech' },
  T: { id: 8, name: 'audio_transcription', description: 'Speech to text', path: '/v1/audio/transcriptions' },
  X: { id: 9, name: 'audio_translation', description: 'Speech to English text', path: '/v1/audio/translations' },
  K: { id: 11, name: 'rerank', description: 'Rerank', path: '/v1/rerank' },
  J: { id: 12, name: 'images_edits', description: 'Image editing', path: '/v1/images/edits' },
  R: { id: 13, name: 'response_api', description: 'Responses', path: '/v1/responses' },
  M: { id: 14, name: 'claude_messages', description: 'Anthropic messages', path: '/v1/messages' },
  W: { id: 15, name: 'realtime', description: 'Realtime', path: '/v1/realtime' },
  V: { id: 16, name: 'videos', description: 'Video generation', path: '/v1/videos' },
  D: { id: 17, name: 'ocr', description: 'Text recognition in documents', path: '/api/paas/v4/layout_parsing' },
} as const satisfies Readonly<Record<string, Endpoint>>

export const ENDPOINTS: readonly Endpoint[] = Object.values(BY_LETTER)

const OPENAI = 'CLREIJSTXOW'
/** Servers that anybody runs or rents: OpenAI's calls, and rerankers beside them. */
const ANY_SERVER = `${OPENAI}K`

/** What the provider behind each type answers itself, in its own form or in OpenAI's, by type code. */
const OFFERED: Readonly<Record<number, string>> = {
  1: OPENAI,
  2: OPENAI,
  3: 'CLREIJSTXW',
  4: OPENAI,
  5: OPENAI,
  6: OPENAI,
  7: OPENAI,
  8: ANY_SERVER,
  9: OPENAI,
  10: OPENAI,
  11: 'CEI',
  12: OPENAI,
  13: OPENAI,
  15: 'CEK',
  16: 'CEIST',
  17: 'CEK',
  19: 'CE',
  20: 'CLEIST',
  23: 'CE',
  24: 'CEI',
  26: 'CE',
  28: 'CEOT',
  29: 'CSTX',
  30: 'CLE',
  32: 'CSTIJW',
  33: 'CEIK',
  35: 'CEK',
  36: 'CL',
  37: 'CE',
  38: 'C',
  39: 'CLEISTK',
  40: 'CEI',
  41: 'CLE',
  42: 'CEI',
  43: '',
  44: 'CEKIST',
  45: 'CIJW',
  46: 'CI',
  47: 'CEKI',
  49: 'CEK',
  50: ANY_SERVER,
  51: 'CEI',
}

/** Most types do nothing but chat. */
const CHAT_ONLY = 'C'
/** What is told to any provider that chats, in the dialect it has. */
const TOLD = 'LRM'

/** Names of the endpoints that the provider behind a type answers itself. */
export function offeredEndpoints(code: number): ReadonlySet<string> {
  return new Set(namesOf(OFFERED[code] ?? CHAT_ONLY))
}

/** Names of the endpoints that a type is asked through unless its channel says otherwise; none for an unknown type. */
export function defaultEndpoints(code: number): readonly string[] {
  if (kindOf(code) === undefined) return []
  const own = OFFERED[code] ?? CHAT_ONLY
  return namesOf(own.includes('C') ? own + TOLD : own)
}

/** In the order of the table. */
function namesOf(letters: string): readonly string[] {
  return Object.entries(BY_LETTER).flatMap(([letter, { name }]) => (letters.includes(letter) ? [name] : []))
}
