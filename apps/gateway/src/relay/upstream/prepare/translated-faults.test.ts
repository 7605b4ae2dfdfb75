// @module-tag slow
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const SOUND = ['emu-fast', 'emu-reasoning', 'emu-tools', 'emu-bytewise', 'emu-huge-frame', 'emu-no-usage']
const BROKEN = ['emu-cut-mid', 'emu-end-mid', 'emu-error-in-stream', 'emu-malformed']
const REFUSED = ['emu-cut-before', 'emu-html', 'emu-error-in-200', 'emu-error-429', 'emu-error-500']

let emulator: Emulator
beforeAll(async () => {
  emulator = await startEmulator()
})
afterAll(() => emulator.close())

/** Providers of other dialects fail in the same ways as those of the client's own dialect. */
describe.each([
  ['Bedrock', 33, 'AKIDEXAMPLE|secret|us-east-1'],
  ['Cohere', 35, 'upstream-key'],
])('%s', (_, type, upstreamKey) => {
  let world: GatewayWorld
  let key = ''
  beforeAll(async () => {
    world = await openGatewayWorld()
    await world.addChannel(emulator.url, [...SOUND, ...BROKEN, ...REFUSED], { type, key: upstreamKey })
    key = await world.addToken(world.root)
  })
  afterEach(() => world.verify())
  afterAll(() => world.close())

  const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }]
  const ask = (model: string, stream: boolean) => world.chat(key, { model, stream, tools })
  async function charged(reply: Response) {
    const id = reply.headers.get('x-request-id')
    const [row] = await world.rows(`select * from log where request_id = '${id}'`)
    return row
  }

  test.each(SOUND)('%s: stream and plain answer say the same and cost the same', async (model) => {
    const [plain, streamed] = [await ask(model, false), await ask(model, true)]
    const { choices } = (await plain.json()) as { choices: readonly [{ message: Message; finish_reason: string }] }
    const [{ message, finish_reason: finish }] = choices
    const chunks = dataOf(await streamed.text())
    expect(textOf(chunks, 'content')).toBe(message.content ?? '')
    expect(textOf(chunks, 'reasoning_content')).toBe(message.reasoning_content ?? '')
    expect(argumentsOf(chunks)).toBe(message.tool_calls?.[0]?.function.arguments ?? '')
    expect(finish).toBe(model === 'emu-tools' ? 'tool_calls' : 'stop')
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe(finish)
    const [one, other] = [await charged(plain), await charged(streamed)]
    expect(one).toMatchObject({ ended: 'complete', estimated: model === 'emu-no-usage' ? 1 : 0 })
    expect(other).toMatchObject({ ended: 'complete', amount: one?.['amount'] })
  })

  test.each(BROKEN)('%s: what arrived is delivered and charged, then an error ends the stream', async (model) => {
    const reply = await ask(model, true)
    const text = await reply.text()
    expect(text).toContain('"content":"')
    expect(text).toContain('"error":{')
    expect(text).not.toContain('"finish_reason":"stop"')
    expect((await charged(reply))?.['ended']).toBe('upstream_broken')
  })

  test.each(REFUSED)('%s: an error in the client’s dialect, and nothing is charged', async (model) => {
    for (const stream of [true, false]) {
      const reply = await ask(model, stream)
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(await reply.json()).toMatchObject({ error: { message: expect.any(String) as string } })
      const row = await charged(reply)
      expect(row?.['amount'] ?? 0n).toBe(0n)
    }
  })
})

interface Message {
  readonly content: string | null
  readonly reasoning_content?: string
  readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[]
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: Partial<Message>
    readonly finish_reason: string | null
  }[]
}

function dataOf(text: string): readonly Chunk[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Chunk)
}

function textOf(chunks: readonly Chunk[], key: 'content' | 'reasoning_content'): string {
  return chunks.map(({ choices }) => choices[0]?.delta[key] ?? '').join('')
}

function argumentsOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ choices }) => choices[0]?.delta.tool_calls?.[0]?.function.arguments ?? '').join('')
}
