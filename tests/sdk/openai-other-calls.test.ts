import { waveFile } from '@sluice/testkit/call-bodies'
import { BYTES, PICTURE_TOKENS, TRANSCRIPT } from '@sluice/testkit/emulator/other-calls'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import OpenAI, { BadRequestError, InternalServerError, toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The official client's calls besides chat, as its documentation uses them. */
let bench: Workbench
let openai: OpenAI

const MODEL = 'emu-fast'

beforeAll(async () => {
  bench = await openWorkbench()
  await bench.addChannel([MODEL, 'emu-error-500', 'omni-moderation-latest'])
  openai = new OpenAI({ apiKey: await bench.addToken(), baseURL: `${bench.gateway.url}/v1`, maxRetries: 0 })
})
afterAll(() => bench.close())

const sound = () => toFile(waveFile(2_000), 'words.wav')

describe('completions', () => {
  it('completes', async () => {
    const completion = await openai.completions.create({ model: MODEL, prompt: 'How does a lock fill?' })
    expect(completion.choices[0]?.text.split(' ')).toHaveLength(16)
    expect(completion.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 16 })
  })

  it('streams the same text', async () => {
    const stream = await openai.completions.create({ model: MODEL, prompt: 'How does a lock fill?', stream: true })
    let text = ''
    for await (const chunk of stream) {
      text += chunk.choices[0]?.text ?? ''
      expect(chunk.usage ?? null).toBeNull()
    }
    expect(text.split(' ')).toHaveLength(16)
  })
})

describe('embeddings', () => {
  it('embeds texts, decoded by the client', async () => {
    const reply = await openai.embeddings.create({ model: MODEL, input: ['one', 'two'] })
    expect(reply.data.map(({ embedding }) => embedding)).toEqual([
      [0, 0.5, -0.25],
      [1, 0.5, -0.25],
    ])
    expect(reply.usage.prompt_tokens).toBeGreaterThan(0)
  })
})

describe('moderations', () => {
  it('classifies a text, also without a model', async () => {
    const named = await openai.moderations.create({ model: MODEL, input: 'some text' })
    const unnamed = await openai.moderations.create({ input: 'some text' })
    for (const { results } of [named, unnamed]) expect(results[0]?.flagged).toBe(false)
    expect(unnamed.model).toBe('omni-moderation-latest')
  })
})

describe('images', () => {
  it('makes pictures', async () => {
    const reply = await openai.images.generate({ model: MODEL, prompt: 'a sluice', n: 2 })
    expect(reply.data).toHaveLength(2)
    expect(Buffer.from(reply.data?.[0]?.b64_json ?? '', 'base64')).toEqual(BYTES)
    expect(reply.usage?.output_tokens).toBe(2 * PICTURE_TOKENS)
  })

  it('streams a picture with its previews', async () => {
    const stream = await openai.images.generate({ model: MODEL, prompt: 'a sluice', stream: true, partial_images: 1 })
    const types = []
    for await (const event of stream) types.push(event.type)
    expect(types).toEqual(['image_generation.partial_image', 'image_generation.completed'])
  })

  it('edits pictures, several at once and streamed, and varies them', async () => {
    const picture = () => toFile(BYTES, 'sluice.png', { type: 'image/png' })
    const request = { model: MODEL, prompt: 'wider', image: [await picture(), await picture()], mask: await picture() }
    const edited = await openai.images.edit({ ...request, n: 2 })
    expect(edited.data).toHaveLength(2)
    expect(edited.usage?.input_tokens_details.image_tokens).toBe(PICTURE_TOKENS)
    const types = []
    for await (const event of await openai.images.edit({ ...request, stream: true })) types.push(event.type)
    expect(types).toEqual(['image_edit.partial_image', 'image_edit.completed'])
    expect((await openai.images.createVariation({ model: MODEL, image: await picture() })).data).toHaveLength(1)
  })
})

describe('audio', () => {
  it('speaks', async () => {
    const reply = await openai.audio.speech.create({ model: MODEL, voice: 'alloy', input: 'The gate opens.' })
    expect(reply.headers.get('content-type')).toBe('audio/mpeg')
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(BYTES)
  })

  it('streams speech as events', async () => {
    const request = { model: MODEL, voice: 'alloy', input: 'The gate opens.', stream_format: 'sse' as const }
    const text = await (await openai.audio.speech.create(request)).text()
    expect(text).toContain('"type":"speech.audio.delta"')
    expect(text).toContain('"type":"speech.audio.done"')
  })

  it('transcribes and translates', async () => {
    const file = await sound()
    expect((await openai.audio.transcriptions.create({ model: MODEL, file })).text).toBe(TRANSCRIPT)
    expect((await openai.audio.translations.create({ model: MODEL, file })).text).toBe(TRANSCRIPT)
    const text = await openai.audio.transcriptions.create({ model: MODEL, file, response_format: 'text' })
    expect(text.trim()).toBe(TRANSCRIPT)
  })

  it('streams a transcript', async () => {
    const stream = await openai.audio.transcriptions.create({ model: MODEL, file: await sound(), stream: true })
    const types = []
    for await (const event of stream) types.push(event.type)
    expect(types).toEqual(['transcript.text.delta', 'transcript.text.done'])
  })
})

describe('errors arrive as the classes of the client', () => {
  it('an incomplete request', async () => {
    await expect(openai.embeddings.create({ model: MODEL, input: '' })).rejects.toThrow(BadRequestError)
    await expect(openai.images.generate({ model: MODEL, prompt: '' })).rejects.toThrow(BadRequestError)
  })

  it('a provider that fails', async () => {
    const file = await sound()
    await expect(openai.embeddings.create({ model: 'emu-error-500', input: 'x' })).rejects.toThrow(InternalServerError)
    await expect(openai.audio.transcriptions.create({ model: 'emu-error-500', file })).rejects.toThrow(
      InternalServerError,
    )
  })
})
