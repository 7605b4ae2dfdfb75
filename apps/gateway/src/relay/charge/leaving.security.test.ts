// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import { updateOption } from '@sluice/contract/routes/options'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const THINKER = 'emu-hidden-400'
const TALKER = 'emu-n-tokens-4'
/** 8 prompt tokens (five words, three for the message) at 1 quota; 400 hidden reasoning tokens and 4 text tokens at 2. */
const WHOLE = (8 + 2 * 404) * 1_000
/** One more than the events of the longest answer here. */
const MOMENTS = 12
/** Long enough for sent bytes to arrive at the other end. */
const PASSED_MS = 100

let emulator: Emulator
let world: GatewayWorld

interface Departure {
  readonly path: (model: string) => string
  readonly body: (model: string, question: string) => object
}

const CHAT: Departure = {
  path: () => '/v1/chat/completions',
  body: (model, content) => ({ model, stream: true, messages: [{ role: 'user', content }] }),
}
const MESSAGES: Departure = {
  path: () => '/v1/messages',
  body: (model, content) => ({ model, stream: true, max_tokens: 1_000, messages: [{ role: 'user', content }] }),
}
const RESPONSES: Departure = {
  path: () => '/v1/responses',
  body: (model, input) => ({ model, stream: true, input }),
}
const GEMINI: Departure = {
  path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  body: (_, text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
}

/** The channel's type decides whether the answer is passed on or translated. */
const WAYS: readonly (readonly [name: string, way: Departure, type: number])[] = [
  ['chat', CHAT, 50],
  ['responses', RESPONSES, 1],
  ['messages', MESSAGES, 14],
  ['gemini', GEMINI, 24],
  ['chat from messages', CHAT, 14],
  ['chat from gemini', CHAT, 24],
  ['messages from chat', MESSAGES, 50],
  ['responses from chat', RESPONSES, 50],
  ['gemini from chat', GEMINI, 50],
]

function departureOf(name: string): (typeof WAYS)[number] {
  const departure = WAYS.find(([each]) => each === name)
  if (departure === undefined) throw new Error(`there is no way ${name}`)
  return departure
}

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
})
afterEach(async () => {
  await choose('ClientLeftPolicy', 'delivered')
  await choose('ClientLeftEarlyPolicy', 'void')
  await world.verify()
})
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const choose = (key: string, value: string) => world.root.call(updateOption, { body: { key, value } })

let names = 0
const newName = (what: string) => `${what}-${(names += 1)}`

/** A separate channel, so that nothing is known about the model. */
async function offer(type: number, model: string): Promise<string> {
  const name = newName('model')
  await world.addChannel(emulator.url, [name], {
    type,
    model_mapping: JSON.stringify({ [name]: model }),
    model_configs: JSON.stringify({ [model]: { ratio: 1, completion_ratio: 2 } }),
  })
  return name
}

interface Asked {
  readonly leave: () => void
  readonly text: string
  readonly isOver: boolean
  charge(): Promise<{ readonly amount: number; readonly row: Readonly<Record<string, unknown>> | undefined }>
}

async function ask(departure: Departure, model: string, events: number): Promise<Asked> {
  const token = newName('token')
  const key = await world.addToken(world.root, { name: token })
  const leaving = new AbortController()
  const seen = { text: '', isOver: false }
  const read = async () => {
    const reply = await fetch(world.url + departure.path(model), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(departure.body(model, `Say something. (hold after ${events})`)),
      signal: leaving.signal,
    })
    const decoder = new TextDecoder()
    for await (const chunk of reply.body ?? []) seen.text += decoder.decode(chunk, { stream: true })
  }
  read().then(
    () => (seen.isOver = true),
    () => (seen.isOver = true),
  )
  return {
    leave: () => leaving.abort(),
    get text() {
      return seen.text
    },
    get isOver() {
      return seen.isOver
    },
    charge: async () => {
      const [row] = await world.rows(`select * from log where type = 2 and token_name = '${token}'`)
      return { amount: Number(row?.['amount'] ?? 0), row }
    },
  }
}

/** Sends one request per moment, leaves each at its moment, and lets the provider continue once the gateway has noticed. */
async function leaveAt(departure: Departure, model: string, moments: readonly number[], isReadOn: boolean) {
  const parsed = await Promise.all(moments.map((events) => ask(departure, model, events)))
  await expect
    .poll(() => emulator.held + parsed.filter(({ isOver }) => isOver).length, { timeout: 10_000 })
    .toBe(moments.length)
  await delay(PASSED_MS)
  for (const { leave } of parsed) leave()
  if (isReadOn) {
    await delay(PASSED_MS)
    emulator.goOn()
  }
  await expect.poll(() => emulator.held, { timeout: 10_000 }).toBe(0)
  await expect.poll(() => world.rows('select * from hold'), { timeout: 10_000 }).toEqual([])
  return await Promise.all(parsed.map(async (each) => ({ text: each.text, ...(await each.charge()) })))
}

const hear = async (departure: Departure, model: string) => (await leaveAt(departure, model, [1_000], false))[0]
const EVERY_MOMENT = Array.from({ length: MOMENTS }, (_, events) => events)
const hasText = (text: string) => /water|finds|lowest|gate|every|drop|keeper|mark|passes|leaves/.test(text)
const sorted = (charges: readonly number[]) => [...charges].sort((a, b) => a - b)

describe.each(WAYS)('leaving an answer with hidden reasoning: %s', { tags: 'S41' }, (_, departure, type) => {
  test('costs all of it once any of it arrived, and nothing before', async () => {
    const model = await offer(type, THINKER)
    expect(await hear(departure, model)).toMatchObject({ amount: WHOLE, row: { estimated: 0 } })
    const left = await leaveAt(departure, model, EVERY_MOMENT, true)
    for (const { text, amount, row } of left) {
      expect([0, WHOLE]).toContain(amount)
      if (hasText(text)) expect([amount, row?.['estimated']]).toEqual([WHOLE, 0])
    }
    const charges = left.map(({ amount }) => amount)
    expect(charges).toEqual(sorted(charges))
    expect([charges[0], charges.at(-1)]).toEqual([0, WHOLE])
  })
})

describe.each(WAYS.slice(0, 4))(
  'leaving an answer that shows everything it counts: %s',
  { tags: 'S41' },
  (_, departure, type) => {
    test('costs no less the later the client leaves, and stops the provider', async () => {
      const model = await offer(type, TALKER)
      await hear(departure, model)
      const left = await leaveAt(departure, model, [0, 1, 2, 3], false)
      const charges = left.map(({ amount }) => amount)
      expect(charges).toEqual(sorted(charges))
      expect(charges[0]).toBe(0)
    })
  },
)

describe('by the settings', { tags: 'S41' }, () => {
  test.each(['chat', 'messages from chat'])('drain: every answer is read to its end, %s', async (name) => {
    await choose('ClientLeftPolicy', 'drain')
    const [, departure, type] = departureOf(name)
    const model = await offer(type, TALKER)
    const whole = await hear(departure, model)
    const left = await leaveAt(departure, model, [0, 4], true)
    expect(left.map(({ amount }) => amount)).toEqual([0, whole?.amount])
  })

  test('void: it costs nothing, and stops the provider', async () => {
    await choose('ClientLeftPolicy', 'void')
    const model = await offer(50, THINKER)
    const left = await leaveAt(CHAT, model, [0, 2, 6], false)
    expect(left.map(({ amount }) => amount)).toEqual([0, 0, 0])
  })

  test.each(['chat', 'responses'])('prompt: an event without text costs as much as no event, %s', async (name) => {
    await choose('ClientLeftEarlyPolicy', 'prompt')
    const [, departure, type] = departureOf(name)
    const model = await offer(type, TALKER)
    await hear(departure, model)
    const [none, opening] = await leaveAt(departure, model, [0, 1], false)
    const early = { ended: 'client_gone_early', completion_tokens: 0 }
    expect(none?.row).toMatchObject(early)
    expect(opening?.row).toMatchObject({ ...early, amount: none?.row?.['amount'] })
  })
})

describe('of a model without a complete answer so far', { tags: 'S41' }, () => {
  test('a client that leaves between the finish and the usage pays for the reasoning', async () => {
    const [left] = await leaveAt(CHAT, await offer(50, THINKER), [6], true)
    expect(left?.text).toContain('"finish_reason":"stop"')
    expect(left).toMatchObject({ amount: WHOLE, row: { ended: 'client_gone_drained', estimated: 0 } })
  })

  test('an answer is read to its end, unless the model is known to show everything it counts', async () => {
    const model = await offer(50, TALKER)
    const [first] = await leaveAt(CHAT, model, [3], true)
    const [second] = await leaveAt(CHAT, model, [3], false)
    expect([first?.row?.['ended'], second?.row?.['ended']]).toEqual(['client_gone_drained', 'client_gone'])
  })
})

test(
  'reading on after the client left is given up after a while, and the answer costs what a quick model writes in the time',
  { tags: 'S41' },
  async () => {
    const quick = await openGatewayWorld({ SLUICE_READ_ON_TIMEOUT: '0.3' })
    await quick.addChannel(emulator.url, ['emu-hidden-401'])
    const key = await quick.addToken(quick.root)
    const leaving = new AbortController()
    const messages = [{ role: 'user', content: 'Say something. (hold after 3)' }]
    const body = { model: 'emu-hidden-401', stream: true, max_tokens: 1_000, messages }
    const reply = await quick.chat(key, body, { signal: leaving.signal })
    await expect.poll(() => emulator.held).toBe(1)
    await reply.body?.getReader().read()
    leaving.abort()
    await expect.poll(() => emulator.held, { timeout: 5_000 }).toBe(0)
    await quick.verify()
    const [row] = await quick.rows('select ended, estimated, completion_tokens from log where type = 2')
    expect(row).toMatchObject({ ended: 'client_gone', estimated: 1 })
    expect(row?.['completion_tokens']).toBeGreaterThanOrEqual(30)
    await quick.close()
  },
)
