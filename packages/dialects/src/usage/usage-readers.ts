import { speechUsage, transcriptionUsage } from '../openai-audio/usage.ts'
import { chatUsage } from '../openai-chat/usage.ts'
import { embeddingsUsage } from '../openai-embeddings/usage.ts'
import { imagesUsage } from '../openai-images/usage.ts'
import type { UsageReader } from './usage-report.ts'

/** The reader of each dialect's usage. */
export const USAGE_READERS = {
  openai_chat: chatUsage,
  openai_embeddings: embeddingsUsage,
  openai_images: imagesUsage,
  openai_speech: speechUsage,
  openai_transcription: transcriptionUsage,
} as const satisfies Readonly<Record<string, UsageReader>>

export type UsageDialect = keyof typeof USAGE_READERS
