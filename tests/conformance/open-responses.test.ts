import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { openRealtimeClient, type RealtimeClient, type RealtimeEvent } from '@sluice/testkit/realtime-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacks } from './open-responses.ts'

/**
 * The checks of the Open Responses project, reimplemented: a response, its stream, a websocket with its memory, and a compaction,
 * with providers of every dialect. `responses` is the gateway itself as a provider of Responses, whose replies pass through a
 * second time unchanged.
 */
const PROVIDERS = {
  chat: { type: 50 },
  messages: { type: 14 },
  gemini: { type: 24 },
  cohere: { type: 35 },
  responses: { type: 50, config: '{"api_format":"response"}' },
} as const
type Provider = keyof typeof PROVIDERS
const NAMES = Object.keys(PROVIDERS) as readonly Provider[]
const PRICE = { ratio: 1, completion_ratio: 1 }
/** What the emulator's model does, by the last part of its name. */
const MODELS = ['emu-fast', 'emu-tools', 'emu-reasoning', 'emu-no-usage', 'emu-error-400'] as const

let emulator: Emulator
let world: GatewayWorld
let key: string

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
  for (const name of NAMES) {
    const mapped = Object.fromEntries(
      MODELS.map((model) => [named(name, model), name === 'responses' ? named('chat', model) : model]),
    )
    await world.addChannel(name === 'responses' ? world.url : emulator.url, Object.keys(mapped), {
      ...PROVIDERS[name],
      model_mapping: JSON.stringify(mapped),
      model_configs: JSON.stringify(
        Object.fromEntries(
          Object.entries(mapped)
            .flat()
            .map((model) => [model, PRICE]),
        ),
      ),
      ...(name === 'responses' ? { key } : {}),
    })
  }
})
afterAll(async () => {
  await world.close()
  await emulator.close()
})

type Json = Readonly<Record<string, unknown>>
type Model = (typeof MODELS)[number]
const named = (provider: Provider, model: Model) => `${provider}-${model}`
const user = (content: unknown) => ({ type: 'message', role: 'user', content })
const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a place',
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
}
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function post(path: string, body: object): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const reply = await fetch(`${world.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: reply.status, text: await reply.text() }
}

async function respond(body: object): Promise<Json> {
  const { status, text } = await post('/v1/responses', body)
  expect(status, text).toBe(200)
  const response = JSON.parse(text) as Json
  expect(lacks('response', response)).toEqual([])
  return response
}

/** A stream's validated events, numbered from 0, with the response at the end. */
async function stream(body: object): Promise<readonly RealtimeEvent[]> {
  const { status, text } = await post('/v1/responses', { ...body, stream: true })
  expect(status, text).toBe(200)
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'))
  const events = lines.map((line) => JSON.parse(line.slice('data: '.length)) as RealtimeEvent)
  expect(events.flatMap((event) => lacks('event', event))).toEqual([])
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
  return events
}

const outputOf = (response: Json) => response['output'] as readonly Json[]
const typesOf = (events: readonly RealtimeEvent[]) => events.map(({ type }) => type)

describe.each(NAMES)('a response at a provider of %s', (provider) => {
  const model = named(provider, 'emu-fast')

  test.each([
    ['a message', { input: [user('Say hello.')] }],
    ['a text', { input: 'Say hello.' }],
    ['a system message', { input: [{ type: 'message', role: 'system', content: 'Be brief.' }, user('Hello')] }],
    [
      'a picture',
      {
        input: [
          user([
            { type: 'input_text', text: 'What is it?' },
            { type: 'input_image', image_url: PICTURE },
          ]),
        ],
      },
    ],
    [
      'several turns',
      { input: [user('I am Ada.'), { type: 'message', role: 'assistant', content: 'Hello.' }, user('Who am I?')] },
    ],
    [
      'phases of the assistant',
      {
        input: [
          { type: 'message', role: 'assistant', phase: 'commentary', content: 'I look it up.' },
          { type: 'message', role: 'assistant', phase: 'final_answer', content: 'Four.' },
          user('Again?'),
        ],
      },
    ],
    [
      'settings',
      { input: 'Hi', temperature: 0.5, max_output_tokens: 64, safety_identifier: 's', prompt_cache_key: 'k' },
    ],
  ])('to %s is complete', async (_, body) => {
    const { model: __, ...given } = { model, ...body }
    const response = await respond({ model, ...body })
    expect(response).toMatchObject({ status: 'completed' })
    expect(response['completed_at']).toBeGreaterThanOrEqual(Number(response['created_at']))
    expect(outputOf(response).map(({ type }) => type)).toContain('message')
    for (const [name, value] of Object.entries(given)) if (name !== 'input') expect(response[name]).toEqual(value)
  })

  test('streams', async () => {
    const events = await stream({ model, input: [user('Count.')] })
    expect(typesOf(events).slice(0, 2)).toEqual(['response.created', 'response.in_progress'])
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } })
  })

  test('calls a function, whole and streamed', async () => {
    const asked = { model: named(provider, 'emu-tools'), input: [user('Weather?')], tools: [WEATHER] }
    const whole = await respond(asked)
    expect(outputOf(whole).map(({ type }) => type)).toContain('function_call')
    const events = await stream(asked)
    const items = events.filter(({ item }) => (item as Json | undefined)?.['type'] === 'function_call')
    expect(typesOf(items)).toEqual(['response.output_item.added', 'response.output_item.done'])
    expect(typesOf(events)).toContain('response.function_call_arguments.delta')
    expect(typesOf(events)).toContain('response.function_call_arguments.done')
  })

  test('thinks, and says what it used where its provider does not', async () => {
    for (const name of ['emu-reasoning', 'emu-no-usage'] as const) {
      const asked = { model: named(provider, name), input: 'Think.' }
      expect(await respond(asked)).toMatchObject({ usage: { total_tokens: expect.any(Number) as number } })
      const end = (await stream(asked)).at(-1)
      expect(end).toMatchObject({ response: { usage: { total_tokens: expect.any(Number) as number } } })
    }
  })

  test('is made in the background, shown and continued', async () => {
    const queued = await respond({ model, input: 'Hi', background: true })
    expect(queued).toMatchObject({ background: true, completed_at: null })
    const show = async () => {
      const headers = { authorization: `Bearer ${key}` }
      return (await (await fetch(`${world.url}/v1/responses/${String(queued['id'])}`, { headers })).json()) as Json
    }
    await expect.poll(async () => (await show())['status']).toBe('completed')
    expect(lacks('response', await show())).toEqual([])
  })

  test('takes the place of a conversation', async () => {
    const asked = { model, prompt_cache_key: 'k', input: [user('We open on Tuesday.'), user('Agreed?')] }
    const { status, text } = await post('/v1/responses/compact', asked)
    expect(status, text).toBe(200)
    const compaction = JSON.parse(text) as Json
    expect(lacks('compaction', compaction)).toEqual([])
    expect(outputOf(compaction).map(({ type }) => type)).toContain('compaction')
    const { model: _, ...nameless } = asked
    expect((await post('/v1/responses/compact', nameless)).status).toBe(400)
  })
})

describe.each(NAMES)('a websocket at a provider of %s', (provider) => {
  const ask = (more: object, model: Model = 'emu-fast') => ({
    type: 'response.create',
    model: named(provider, model),
    store: false,
    input: 'Hi',
    ...more,
  })
  const connect = () =>
    openRealtimeClient(`${world.url}/v1/responses`, [], { headers: { authorization: `Bearer ${key}` } })

  /** The validated response at the end of one turn's events. */
  async function turn(client: RealtimeClient, frame: object): Promise<Json> {
    client.send(frame)
    const seen: RealtimeEvent[] = []
    for (;;) {
      const event = await client.take(...EVENT_TYPES)
      seen.push(event)
      if (event.type === 'error') throw new Error(JSON.stringify(event))
      if (event.type === 'response.completed') break
    }
    expect(seen.flatMap((event) => lacks('event', event))).toEqual([])
    return seen.at(-1)?.['response'] as Json
  }
  const EVENT_TYPES = ['response.created', 'response.in_progress', 'response.completed', 'error']

  test('answers one response after the other, and goes on from what it remembers', async () => {
    const client = await connect()
    const first = await turn(client, ask({}))
    await turn(client, ask({ input: 'Another thing.' }))
    const second = await turn(client, ask({ previous_response_id: first['id'], input: 'Go on.' }))
    expect(second).toMatchObject({ status: 'completed' })
    await client.close()
  })

  test('does not know what nobody stored, nor what a failed turn went on from', async () => {
    const client = await connect()
    const first = await turn(client, ask({}))
    const missing = { error: { code: 'previous_response_not_found' } }
    const other = await connect()
    other.send(ask({ previous_response_id: first['id'] }))
    expect(await other.take('error')).toMatchObject(missing)
    await turn(other, ask({ input: 'From the beginning.' }))
    await other.close()
    client.send(ask({ previous_response_id: first['id'] }, 'emu-error-400'))
    await client.take('error')
    client.send(ask({ previous_response_id: first['id'] }))
    expect(await client.take('error')).toMatchObject(missing)
    await client.close()
  })

  test('begins a new chain with a compaction', async () => {
    const { text } = await post('/v1/responses/compact', {
      model: named(provider, 'emu-fast'),
      input: [user('We open on Tuesday.')],
    })
    const { output } = JSON.parse(text) as { readonly output: readonly object[] }
    const client = await connect()
    expect(await turn(client, ask({ input: [...output, user('When?')] }))).toMatchObject({ status: 'completed' })
    await client.close()
  })
})
