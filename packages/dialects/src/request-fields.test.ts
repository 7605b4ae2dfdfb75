import { describe, expect, test } from 'vitest'
import { readSpeechRequest } from './openai-audio/speech-request.ts'
import { identifyChat } from './openai-chat/identify.ts'
import { readCompletionRequest } from './openai-completions/request.ts'
import { readInputRequest } from './openai-embeddings/request.ts'
import { readImageRequest } from './openai-images/request.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const LISTS = `[${'[],'.repeat(300_000)}[]]`

/** Objects that were made while `work` ran, roughly: bytes of the heap. */
function grown(work: () => unknown): number {
  const before = process.memoryUsage().heapUsed
  work()
  return process.memoryUsage().heapUsed - before
}
const LIMIT = 4_000_000

describe('lists of lists are refused or passed on without being built', () => {
  const chat = '"messages":[{"role":"user","content":"x"}]'
  test.each([
    ['a chat’s model', identifyChat, `{"model":${LISTS},${chat}}`],
    ['a chat’s flag', identifyChat, `{"model":"m",${chat},"stream":${LISTS}}`],
    ['a chat’s wish', identifyChat, `{"model":"m",${chat},"stream_options":{"include_usage":${LISTS}}}`],
    ['an input', readInputRequest, `{"model":"m","input":${LISTS}}`],
    ['a prompt', readCompletionRequest, `{"model":"m","prompt":${LISTS}}`],
    ['a text to be spoken', readSpeechRequest, `{"model":"m","input":${LISTS}}`],
    ['a picture’s size', readImageRequest, `{"model":"m","prompt":"x","size":${LISTS}}`],
  ])('%s', (_, read, text) => {
    const body = bytes(text)
    read(body)
    expect(grown(() => read(body))).toBeLessThan(LIMIT)
  })
})

describe('prompts are counted', () => {
  test.each([
    ['"one"', 1],
    ['["one","two"]', 2],
    ['[1, 2,\n3]', 1],
    ['[1e2]', 1],
    ['[[1,2],[3]]', 2],
    ['[ [1], "x" ]', 2],
    [`[${Array(2_048).fill('"x"').join()}]`, 2_048],
  ])('in %.40s', (prompt, n) => {
    expect(readCompletionRequest(bytes(`{"model":"m","prompt":${prompt}}`))).toMatchObject({ n })
  })

  test.each([
    '[]',
    '[ ]',
    '[1,"x"]',
    '["x",1]',
    '[true]',
    '[null]',
    '[{}]',
    '{}',
    '7',
    `[${Array(2_049).fill('"x"').join()}]`,
  ])('but not in %.40s', (prompt) => {
    expect(readCompletionRequest(bytes(`{"model":"m","prompt":${prompt}}`))).toMatchObject({
      code: 'invalid_body',
      params: { field: 'prompt' },
    })
  })
})
