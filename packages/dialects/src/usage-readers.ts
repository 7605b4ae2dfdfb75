import { messagesUsage } from './anthropic/usage.ts'
import { converseUsage } from './bedrock-converse/usage.ts'
import { cohereUsage } from './cohere/usage.ts'
import { geminiUsage } from './gemini/usage.ts'
import { speechUsage, transcriptionUsage } from './openai-audio/usage.ts'
import { chatUsage } from './openai-chat/usage.ts'
import { embeddingsUsage } from './openai-embeddings/usage.ts'
import { imagesUsage } from './openai-images/usage.ts'
import { realtimeUsage } from './openai-realtime/usage.ts'
import { responsesUsage } from './openai-responses/usage.ts'
import type { UsageReader } from './usage/usage-report.ts'

/** The usage reader of each dialect; names with `openai_` are endpoints of one dialect. */
export const USAGE_READERS = {
  openai_chat: chatUsage,
  openai_responses: responsesUsage,
  openai_embeddings: embeddingsUsage,
  openai_images: imagesUsage,
  openai_speech: speechUsage,
  openai_transcription: transcriptionUsage,
  openai_realtime: realtimeUsage,
  anthropic: messagesUsage,
  gemini: geminiUsage,
  bedrock_converse: converseUsage,
  cohere: cohereUsage,
} as const satisfies Readonly<Record<string, UsageReader>>

export type UsageDialect = keyof typeof USAGE_READERS
