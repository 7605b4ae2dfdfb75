import type { Refusal } from '@sluice/contract/errors'
import type { BodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import type { Loss } from '@sluice/dialects/canon/losses'
import { CHAT_PATH, readChat } from './chat.ts'
import { readCompletion } from './completions.ts'
import { readEditCall, readImageCall, readVariationCall } from './images.ts'
import { readEmbedding, readModeration } from './inputs.ts'
import { MESSAGES_PATH, readMessages } from './messages.ts'
import type { ParsedCall } from './parsed-call.ts'
import { readRerank } from './rerank.ts'
import { COMPACT_PATH, readCompact } from './responses-compact.ts'
import { readResponses, RESPONSES_PATH } from './responses.ts'
import { readSpeech } from './speech.ts'
import { readTranscription, readTranslation } from './transcriptions.ts'

export interface CallKind {
  readonly path: string
  /** The endpoint's name in the list of what a channel type offers. */
  readonly endpoint: string
  readonly body: 'json' | 'form'
  /** `facts` is the information from the path, for dialects that put the model there. */
  readonly read: (
    body: Buffer,
    contentType: string | undefined,
    facts: PathFacts,
    headers: ClientHeaders,
  ) => ParsedCall | Refusal | BodyRefusal
  /** As `read`, for a body whose references have been replaced; only for kinds whose bodies have references. */
  readonly reread?: (body: Buffer, lost: readonly Loss[]) => ParsedCall | BodyRefusal
}

export type ClientHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export const RESPONSES_CALL: CallKind = {
  path: RESPONSES_PATH,
  endpoint: 'response_api',
  body: 'json',
  read: readResponses,
}

/** All kinds pass through the same twelve stages, so none can bypass keys, limits or quota (class S25). */
export const CALL_KINDS: readonly CallKind[] = [
  { path: CHAT_PATH, endpoint: 'chat_completions', body: 'json', read: readChat },
  RESPONSES_CALL,
  {
    path: COMPACT_PATH,
    endpoint: 'response_api',
    body: 'json',
    read: (body) => readCompact(body),
    reread: readCompact,
  },
  { path: MESSAGES_PATH, endpoint: 'claude_messages', body: 'json', read: readMessages },
  { path: '/v1/completions', endpoint: 'completions', body: 'json', read: readCompletion },
  { path: '/v1/embeddings', endpoint: 'embeddings', body: 'json', read: readEmbedding },
  { path: '/v1/moderations', endpoint: 'moderations', body: 'json', read: readModeration },
  { path: '/v1/images/generations', endpoint: 'images_generations', body: 'json', read: readImageCall },
  { path: '/v1/images/edits', endpoint: 'images_edits', body: 'form', read: readEditCall },
  { path: '/v1/images/variations', endpoint: 'images_edits', body: 'form', read: readVariationCall },
  { path: '/v1/rerank', endpoint: 'rerank', body: 'json', read: readRerank },
  { path: '/v2/rerank', endpoint: 'rerank', body: 'json', read: readRerank },
  { path: '/v1/audio/speech', endpoint: 'audio_speech', body: 'json', read: readSpeech },
  { path: '/v1/audio/transcriptions', endpoint: 'audio_transcription', body: 'form', read: readTranscription },
  { path: '/v1/audio/translations', endpoint: 'audio_translation', body: 'form', read: readTranslation },
]
