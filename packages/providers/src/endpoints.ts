import { kindOf } from './kinds/all.ts'

export interface Endpoint {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly path: string
}

export const ENDPOINTS = [
  { id: 1, name: 'chat_completions', description: 'Chat completions', path: '/v1/chat/completions' },
  { id: 2, name: 'completions', description: 'Text completions', path: '/v1/completions' },
  { id: 3, name: 'embeddings', description: 'Embeddings', path: '/v1/embeddings' },
  { id: 4, name: 'moderations', description: 'Moderations', path: '/v1/moderations' },
  { id: 5, name: 'images_generations', description: 'Image generation', path: '/v1/images/generations' },
  { id: 7, name: 'audio_speech', description: 'Text to speech', path: '/v1/audio/speech' },
  { id: 8, name: 'audio_transcription', description: 'Speech to text', path: '/v1/audio/transcriptions' },
  { id: 9, name: 'audio_translation', description: 'Speech to English text', path: '/v1/audio/translations' },
  { id: 11, name: 'rerank', description: 'Rerank', path: '/v1/rerank' },
  { id: 12, name: 'images_edits', description: 'Image editing', path: '/v1/images/edits' },
  { id: 13, name: 'response_api', description: 'Responses', path: '/v1/responses' },
  { id: 14, name: 'claude_messages', description: 'Anthropic messages', path: '/v1/messages' },
  { id: 15, name: 'realtime', description: 'Realtime', path: '/v1/realtime' },
  { id: 16, name: 'videos', description: 'Video generation', path: '/v1/videos' },
  { id: 17, name: 'ocr', description: 'Text recognition in documents', path: '/api/paas/v4/layout_parsing' },
] as const satisfies readonly Endpoint[]

export type EndpointName = (typeof ENDPOINTS)[number]['name']

/** Formats that every provider with chat can serve, translated to its own dialect. */
const TRANSLATED: readonly EndpointName[] = ['completions', 'response_api', 'claude_messages']

/** The endpoints of a type whose channel does not state its own; empty for an unknown type. */
export function defaultEndpoints(code: number): readonly EndpointName[] {
  const own = kindOf(code)?.endpoints ?? []
  const all = own.includes('chat_completions') ? [...own, ...TRANSLATED] : own
  return ENDPOINTS.map(({ name }) => name).filter((name) => all.includes(name))
}
