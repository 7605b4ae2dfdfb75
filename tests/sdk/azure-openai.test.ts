import { waveFile } from '@sluice/testkit/call-bodies'
import { BYTES, TRANSCRIPT } from '@sluice/testkit/emulator/other-calls'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { AuthenticationError, AzureOpenAI, BadRequestError, NotFoundError, toFile } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** OpenAI's client for Azure, which names the model as a deployment in the path and sends its key as `api-key`. */
let bench: Workbench
let azure: AzureOpenAI

const MODEL = 'emu-fast'
const messages = [{ role: 'user' as const, content: 'How does a lock fill?' }]

const clientFor = (apiKey: string, deployment?: string) =>
  new AzureOpenAI({ endpoint: bench.gateway.url, apiKey, apiVersion: '2025-04-01-preview', maxRetries: 0, deployment })

beforeAll(async () => {
  bench = await openWorkbench()
  await bench.addChannel([MODEL])
  azure = clientFor(await bench.addToken(), MODEL)
})
afterAll(() => bench.close())

it('chats with the model of the deployment, whatever the body names', async () => {
  for (const model of [MODEL, '', 'a-name-of-the-vendor']) {
    const reply = await azure.chat.completions.create({ model, messages })
    expect(reply.choices[0]?.message.content).not.toBe('')
    expect(reply.model).toBe(MODEL)
  }
})

it('streams', async () => {
  const stream = await azure.chat.completions.create({ model: MODEL, messages, stream: true })
  let text = ''
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  expect(text).not.toBe('')
})

it('embeds, draws, speaks and listens', async () => {
  const embedded = await azure.embeddings.create({ model: MODEL, input: 'one' })
  expect(embedded.data[0]?.embedding).toEqual([0, 0.5, -0.25])
  const drawn = await azure.images.generate({ model: MODEL, prompt: 'a sluice' })
  expect(Buffer.from(drawn.data?.[0]?.b64_json ?? '', 'base64')).toEqual(BYTES)
  const spoken = await azure.audio.speech.create({ model: MODEL, voice: 'alloy', input: 'The gate opens.' })
  expect(Buffer.from(await spoken.arrayBuffer())).toEqual(BYTES)
  const file = await toFile(waveFile(2_000), 'words.wav')
  expect((await azure.audio.transcriptions.create({ model: 'other', file })).text).toBe(TRANSCRIPT)
})

it('creates responses, which have no deployment in their path', async () => {
  const response = await azure.responses.create({ model: MODEL, input: 'How does a lock fill?' })
  expect(response).toMatchObject({ object: 'response', status: 'completed' })
})

it('lists the models', async () => {
  const listed = []
  for await (const { id } of azure.models.list()) listed.push(id)
  expect(listed).toEqual([MODEL])
  expect((await azure.models.retrieve(MODEL)).id).toBe(MODEL)
})

it('reads refusals as its own errors', async () => {
  await expect(azure.chat.completions.create({ model: MODEL, messages: [] })).rejects.toThrow(BadRequestError)
  await expect(clientFor('sk-nobody', MODEL).models.list()).rejects.toThrow(AuthenticationError)
  const elsewhere = azure.withOptions({ deployment: 'no-such-deployment' })
  await expect(elsewhere.chat.completions.create({ model: MODEL, messages })).rejects.toThrow(NotFoundError)
})
