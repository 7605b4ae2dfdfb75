import { describe, expect, test, vi } from 'vitest'
import { readSpeechRequest } from './openai-audio/speech-request.ts'
import { identifyChat } from './openai-chat/identify.ts'
import { readCompletionRequest } from './openai-completions/request.ts'
import { readInputRequest } from './openai-embeddings/request.ts'
import { readImageRequest } from './openai-images/request.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const LISTS = `[${'[],'.repeat(1_000)}[]]`

/** Characters of the longest text that `work` parses. */
function longestParsed(work: () => unknown): number {
  const parse = vi.spyOn(JSON, 'parse')
  work()
  const lengths = parse.mock.calls.map(([text]) => text.length)
  parse.mockRestore()
  return Math.max(0, ...lengths)
}

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
    expect(longestParsed(() => read(bytes(text)))).toBeLessThan(100)
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
