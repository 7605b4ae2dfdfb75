import { expect, test } from 'vitest'
import { isChatModel } from './chat-models.ts'

test.each(['gpt-4o', 'claude-opus-5', 'deepseek-chat', 'o3'])('%s can be asked a question', (model) => {
  expect(isChatModel(model)).toBe(true)
})

test.each(['text-embedding-3-small', 'whisper-1', 'tts-1', 'gpt-image-1', 'bge-reranker-v2', 'veo-3', 'gpt-realtime'])(
  '%s cannot',
  (model) => {
    expect(isChatModel(model)).toBe(false)
  },
)
