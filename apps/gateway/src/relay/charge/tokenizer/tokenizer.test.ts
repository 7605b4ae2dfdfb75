// @module-tag slow
import { afterEach, expect, test } from 'vitest'
import { cutRuns } from './cut-runs.ts'
import { promptParts } from './prompt-parts.ts'
import { openTokenizer, type Tokenizer } from './tokenizer.ts'

let tokenizer: Tokenizer | undefined
afterEach(async () => {
  await tokenizer?.close()
  tokenizer = undefined
})

const body = (content: unknown) => Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }))
const job = { model: 'gpt-4o', prompt: body('hello world'), text: 'hello world', beyondBytes: 0 }

test('text and prompt are counted by the model’s own tokenizer', async () => {
  tokenizer = openTokenizer()
  // "hello world" has two tokens in o200k and cl100k; a message costs three more, the reply three.
  expect(await tokenizer.count(job)).toEqual({ prompt: 8, output: 2 })
  expect(await tokenizer.count({ ...job, model: 'gpt-3.5-turbo' })).toEqual({ prompt: 8, output: 2 })
  expect(await tokenizer.count({ ...job, model: 'claude-3-5-sonnet' })).toEqual({ prompt: 9, output: 3 })
})

test('names of special tokens are ordinary text', async () => {
  tokenizer = openTokenizer()
  const { output } = await tokenizer.count({ ...job, text: '<|endoftext|>' })
  expect(output).toBeGreaterThan(1)
})

test('endless runs are counted in linear time', async () => {
  tokenizer = openTokenizer({ timeoutMs: 10_000 })
  for (const run of ['a', ' ', '-', '中', '🙂']) {
    const { output } = await tokenizer.count({ ...job, text: run.repeat(100_000) })
    // An estimate by size alone would be exactly this.
    expect(output, run).not.toBe(Math.ceil(Buffer.byteLength(run.repeat(100_000)) / 3.8))
    expect(output, run).toBeGreaterThan(100)
  }
})

test('what cannot be counted is estimated by its size', async () => {
  tokenizer = openTokenizer({ queue: 0 })
  expect(await tokenizer.count(job)).toEqual({ prompt: Math.ceil(job.prompt.length / 3.8), output: 3 })
  tokenizer = openTokenizer()
  expect(await tokenizer.count({ ...job, prompt: Buffer.from('no json') })).toEqual({ prompt: 2, output: 3 })
  expect(await tokenizer.count({ ...job, prompt: 3_800, beyondBytes: 380 })).toEqual({ prompt: 1_000, output: 102 })
})

test('a thread that takes too long is terminated, and the next job gets another', async () => {
  tokenizer = openTokenizer({ timeoutMs: 1 })
  expect(await tokenizer.count(job)).toEqual({ prompt: Math.ceil(job.prompt.length / 3.8), output: 3 })
  await tokenizer.close()
  tokenizer = openTokenizer({ idleMs: 1 })
  expect(await tokenizer.count(job)).toEqual({ prompt: 8, output: 2 })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await tokenizer.count(job)).toEqual({ prompt: 8, output: 2 })
})

test('pieces of a cut run add up to the text and never split a character', () => {
  const text = `start ${'🙂'.repeat(300)} middle ${'x'.repeat(1_000)} end`
  const pieces = cutRuns(text)
  expect(pieces.join('')).toBe(text)
  for (const piece of pieces) expect(piece.isWellFormed()).toBe(true)
  expect(cutRuns('an ordinary sentence')).toEqual(['an ordinary sentence'])
  expect(cutRuns('')).toEqual([])
})

test('every part of a prompt is collected, whatever its shape', () => {
  const parts = promptParts({
    messages: [
      { role: 'system', content: 'one' },
      {
        role: 'user',
        name: 'ann',
        content: [
          { type: 'text', text: 'two' },
          { type: 'image_url', image_url: {} },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [{ id: '1' }] },
      'odd',
    ],
    tools: [{ type: 'function' }],
  })
  expect(parts.texts).toEqual(['one', 'two', 'ann', '[{"id":"1"}]'])
  expect(parts.tools).toBe('[{"type":"function"}]')
  expect(parts.extra).toBe(3 + 4 * 3 + 1 + 1_105 + 10)
  expect(promptParts(null)).toEqual({ texts: [], tools: '', extra: 3 })
})
