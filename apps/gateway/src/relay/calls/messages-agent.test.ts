import type { Socket } from 'node:net'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** A coding agent that speaks Messages, with a model behind OpenAI's chat. */
let provider: RawUpstream
let world: GatewayWorld
let key = ''
let chunks: readonly object[] = []

beforeAll(async () => {
  provider = await startRawUpstream((socket) => send(socket))
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
  await world.addChannel(provider.url, ['thinker'])
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await provider.close()
})

function send(socket: Socket): void {
  const body = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  socket.write(head + body)
}

interface Block {
  readonly type: string
  readonly [name: string]: unknown
}
interface Event {
  readonly type: string
  readonly index?: number
  readonly content_block?: Block
  readonly delta?: Readonly<Record<string, string | null>>
  readonly usage?: object
}

const delta = (fields: object, finish_reason: string | null = null) => ({
  id: 'c',
  model: 'thinker',
  choices: [{ index: 0, delta: fields, finish_reason }],
})
const call = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] })
const usage = {
  prompt_tokens: 1_000,
  completion_tokens: 30,
  total_tokens: 1_030,
  prompt_tokens_details: { cached_tokens: 900 },
}
const tools = [
  { name: 'read', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } },
  { name: 'list', input_schema: { type: 'object' } },
]

async function turn(messages: readonly object[]) {
  const body = { model: 'thinker', max_tokens: 4_096, stream: true, system: 'Code.', tools, messages }
  const reply = await fetch(`${world.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Event)
  const request = provider.requests.at(-1) ?? ''
  const sent = JSON.parse(request.slice(request.indexOf('\r\n\r\n'))) as { readonly messages: readonly object[] }
  return { events, sent, losses: reply.headers.get('x-sluice-losses') }
}

function blocksOf(events: readonly Event[]): readonly Block[] {
  const blocks: Block[] = []
  const args: string[] = []
  for (const { index = 0, content_block: begun, delta: piece } of events) {
    if (begun !== undefined) blocks[index] = begun
    const block = blocks[index]
    if (block === undefined || piece === undefined) continue
    if (typeof piece['partial_json'] === 'string') args[index] = (args[index] ?? '') + piece['partial_json']
    for (const name of ['text', 'thinking', 'signature'] as const) {
      if (typeof piece[name] === 'string') blocks[index] = { ...block, [name]: String(block[name]) + piece[name] }
    }
  }
  return blocks.map((block, index) => {
    const translated = args[index]
    return translated === undefined ? block : { ...block, input: JSON.parse(translated) as object }
  })
}

test('a loop of thinking and calls loses nothing on its way through a chat provider', async () => {
  chunks = [
    delta({ role: 'assistant', reasoning_content: 'Both ' }),
    delta({ reasoning_content: 'files.' }),
    delta({ content: 'Reading.' }),
    call(0, { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":' } }),
    call(1, { id: 'call_b', type: 'function', function: { name: 'list', arguments: '{}' } }),
    call(0, { function: { arguments: '"a"}' } }),
    delta({}, 'tool_calls'),
    { id: 'c', model: 'thinker', choices: [], usage },
  ]
  const go = { role: 'user', content: [{ type: 'text', text: 'Go', cache_control: { type: 'ephemeral' } }] }
  const first = await turn([go])
  expect(first.losses).toContain('cache_control')
  expect(first.sent).toMatchObject({ messages: [{ role: 'system', content: 'Code.' }, { role: 'user' }] })
  const blocks = blocksOf(first.events)
  expect(blocks).toMatchObject([
    { type: 'thinking', thinking: 'Both files.' },
    { type: 'text', text: 'Reading.' },
    { type: 'tool_use', id: 'call_a', name: 'read', input: { path: 'a' } },
    { type: 'tool_use', id: 'call_b', name: 'list', input: {} },
  ])
  expect(first.events.at(-2)).toMatchObject({
    delta: { stop_reason: 'tool_use' },
    usage: { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 30 },
  })

  chunks = [delta({ role: 'assistant', content: 'Done.' }), delta({}, 'stop'), { choices: [], usage }]
  const results = [
    { type: 'tool_result', tool_use_id: 'call_a', content: 'A' },
    { type: 'tool_result', tool_use_id: 'call_b', content: [{ type: 'text', text: 'B' }] },
    { type: 'text', text: 'Go on.' },
  ]
  const second = await turn([go, { role: 'assistant', content: blocks }, { role: 'user', content: results }])
  expect(second.sent.messages.slice(2)).toMatchObject([
    {
      role: 'assistant',
      tool_calls: [
        { id: 'call_a', function: { name: 'read', arguments: '{"path":"a"}' } },
        { id: 'call_b', function: { name: 'list', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_a' },
    { role: 'tool', tool_call_id: 'call_b' },
    { role: 'user' },
  ])
  expect(blocksOf(second.events)).toEqual([{ type: 'text', citations: null, text: 'Done.' }])
  expect(second.events.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' } })
})
