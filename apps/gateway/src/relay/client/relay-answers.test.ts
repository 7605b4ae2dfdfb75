// @module-tag slow
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let backup: Emulator
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  emulator = await startEmulator()
  backup = await startEmulator()
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
  await backup.close()
})

async function lastCharge() {
  const [row] = await world.rows(`select * from log where type = 2 order by id desc limit 1`)
  if (row === undefined) throw new Error('nothing was charged')
  return row
}

/** Channel fields that map a model to `emu-fast`. */
const asFast = (model: string) => ({
  model_mapping: JSON.stringify({ [model]: 'emu-fast' }),
  model_configs: JSON.stringify({ 'emu-fast': { ratio: 1 } }),
})

const lastCall = (upstream: Emulator) => {
  const call = upstream.journal.calls.at(-1)
  if (call === undefined) throw new Error('nothing arrived upstream')
  return { ...call, json: JSON.parse(call.body) as Record<string, unknown> }
}

test('a plain answer arrives as it was sent and is charged by its reported usage', async () => {
  await world.addChannel(emulator.url, ['emu-fast'])
  const reply = await world.chat(key, { model: 'emu-fast', vendor_field: { kept: true } })
  const answer = (await reply.json()) as { usage: { prompt_tokens: number; completion_tokens: number } }
  expect(reply.status).toBe(200)
  const { prompt_tokens: prompt, completion_tokens: completion } = answer.usage
  expect(await lastCharge()).toMatchObject({
    request_id: reply.headers.get('x-request-id'),
    amount: BigInt(prompt + 2 * completion) * 1_000n,
    prompt_tokens: prompt,
    completion_tokens: completion,
    is_stream: 0,
    estimated: 0,
    ended: 'complete',
    model_name: 'emu-fast',
    channel_name: 'upstream',
    token_name: 'token',
    username: 'root',
  })
  expect(lastCall(emulator).json['vendor_field']).toEqual({ kept: true })
})

test('a stream arrives event by event; the usage that only the gateway requested is read and left out', async () => {
  const reply = await world.chat(key, { model: 'emu-fast', stream: true })
  const text = await reply.text()
  expect(reply.headers.get('content-type')).toContain('text/event-stream')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(text).not.toContain('"choices":[]')
  expect(lastCall(emulator).json['stream_options']).toEqual({ include_usage: true })
  expect(await lastCharge()).toMatchObject({ completion_tokens: 16, is_stream: 1, estimated: 0, ended: 'complete' })
})

test('a client that requests usage gets its chunk', async () => {
  const reply = await world.chat(key, { model: 'emu-fast', stream: true, stream_options: { include_usage: true } })
  expect(await reply.text()).toMatch(/"choices":\[\],"usage":\{"prompt_tokens":\d+,"completion_tokens":16/)
})

test.each([true, false])('the trace lists every stage in order (streamed: %s)', async (stream) => {
  // The gateway counts the tokens, which takes a moment after the provider's end.
  await world.addChannel(emulator.url, ['emu-no-usage'])
  const reply = await world.chat(key, { model: 'emu-no-usage', stream })
  await reply.text()
  const [trace] = await world.rows(`select * from trace where request_id = '${reply.headers.get('x-request-id')}'`)
  const stages = ['received', 'forwarded', 'first_upstream', 'first_client', 'upstream_completed', 'completed']
  const times = stages.map((stage) => Number(trace?.[`${stage}_ms`]))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times[0]).toBeGreaterThan(0)
  expect(trace).toMatchObject({ url: '/v1/chat/completions', method: 'POST', status: 200 })
  expect(JSON.parse(String(trace?.['attempts']))).toMatchObject([{ channel_name: 'upstream', status: 200, error: '' }])
})

test('tokens are counted when the provider reports none, and the row says so', async () => {
  await world.addChannel(emulator.url, ['emu-no-usage'])
  for (const stream of [false, true]) {
    await (await world.chat(key, { model: 'emu-no-usage', stream })).text()
    const charge = await lastCharge()
    expect(charge).toMatchObject({ estimated: 1, ended: 'complete', is_stream: Number(stream) })
    // "Say something." has three tokens, its message adds three, and the start of the reply three.
    expect(charge['prompt_tokens']).toBe(9)
    expect(charge['completion_tokens']).toBeGreaterThan(15)
    expect(charge['completion_tokens']).toBeLessThan(25)
  }
})

test('cached prompt tokens have their own class', async () => {
  await world.addChannel(emulator.url, ['emu-cached'])
  await (await world.chat(key, { model: 'emu-cached' })).text()
  const charge = await lastCharge()
  expect(Number(charge['cached_prompt_tokens'])).toBeGreaterThan(0)
})

test('where a call has a price, each answer is charged as one call', async () => {
  await world.addChannel(emulator.url, ['emu-n-tokens-4'], {
    model_configs: JSON.stringify({ 'emu-n-tokens-4': { per_call: { usd_per_thousand_calls: 2 } } }),
  })
  for (const stream of [false, true]) {
    await (await world.chat(key, { model: 'emu-n-tokens-4', stream })).text()
    // Two dollars for a thousand calls are 1,000 quota for one.
    expect(await lastCharge()).toMatchObject({ amount: 1_000_000n, completion_tokens: 4, estimated: 0 })
  }
})

test('the model is mapped for the provider, priced by its real name, and logged under both', async () => {
  await world.addChannel(emulator.url, ['alias', 'emu-n-tokens-5'], {
    model_mapping: JSON.stringify({ alias: 'emu-n-tokens-5' }),
    model_configs: JSON.stringify({ 'emu-n-tokens-5': { ratio: 3, completion_ratio: 1 } }),
  })
  const reply = await world.chat(key, { model: 'alias', stream: true })
  await reply.text()
  expect(lastCall(emulator).json['model']).toBe('emu-n-tokens-5')
  const charge = await lastCharge()
  expect(charge).toMatchObject({ model_name: 'emu-n-tokens-5', origin_model_name: 'alias', completion_tokens: 5 })
  expect(charge['amount']).toBe(BigInt(Number(charge['prompt_tokens']) + 5) * 3_000n)
})

test('a failing channel hands over to the next; its prompt and its model name stay behind', async () => {
  await world.addChannel(emulator.url, ['shared'], {
    name: 'first',
    priority: 10,
    model_mapping: JSON.stringify({ shared: 'emu-error-500' }),
    system_prompt: 'You belong to the first channel.',
    model_configs: JSON.stringify({ 'emu-error-500': { ratio: 1 } }),
  })
  await world.addChannel(backup.url, ['shared'], { name: 'second', priority: 5, system_prompt: 'Second.' })
  const reply = await world.chat(key, { model: 'shared' })
  expect(reply.status).toBe(200)
  expect(lastCall(emulator).body).toContain('You belong to the first channel.')
  const passedOn = lastCall(backup)
  expect(passedOn.body).not.toContain('first channel')
  expect(passedOn.json['model']).toBe('shared')
  expect(passedOn.json['messages']).toMatchObject([{ role: 'system', content: 'Second.' }, { role: 'user' }])
  expect(await lastCharge()).toMatchObject({ channel_name: 'second' })
  const [trace] = await world.rows(
    `select attempts from trace where request_id = '${reply.headers.get('x-request-id')}'`,
  )
  expect(JSON.parse(String(trace?.['attempts']))).toMatchObject([
    { channel_name: 'first', status: 500, error: 'upstream_rejected' },
    { channel_name: 'second', status: 200, error: '' },
  ])
})

test.each(['emu-cut-before', 'emu-error-429', 'emu-error-401', 'emu-error-in-200', 'emu-html', 'emu-malformed'])(
  'after %s the next channel answers, plain and streamed',
  async (fault) => {
    const model = `try-${fault}`
    const more = {
      model_mapping: JSON.stringify({ [model]: fault }),
      model_configs: JSON.stringify({ [fault]: { ratio: 1 } }),
    }
    await world.addChannel(emulator.url, [model], { ...more, priority: 9 })
    await world.addChannel(backup.url, [model], asFast(model))
    for (const stream of fault === 'emu-malformed' ? [false] : [false, true]) {
      const reply = await world.chat(key, { model, stream })
      expect(reply.status).toBe(200)
      expect(await reply.text()).toContain(stream ? '[DONE]' : '"usage"')
    }
  },
)

test('an address where nothing listens is tried once, then the next channel', async () => {
  await world.addChannel('http://127.0.0.1:1', ['unreachable'], { priority: 9 })
  await world.addChannel(backup.url, ['unreachable'], asFast('unreachable'))
  expect((await world.chat(key, { model: 'unreachable' })).status).toBe(200)
})

test('a mistake of the client is not repeated elsewhere, and the provider’s words are kept', async () => {
  const before = backup.journal.received
  await world.addChannel(emulator.url, ['wrong'], {
    priority: 9,
    model_mapping: '{"wrong":"emu-error-400"}',
    model_configs: '{"emu-error-400":{"ratio":1}}',
  })
  await world.addChannel(backup.url, ['wrong'])
  const reply = await world.chat(key, { model: 'wrong' })
  expect(reply.status).toBe(400)
  const { error } = (await reply.json()) as { error: { message: string; type: string } }
  expect(error.message).toContain(`(request id: ${reply.headers.get('x-request-id')})`)
  expect(error.type).toBe('invalid_request_error')
  expect(backup.journal.received).toBe(before)
})

test('when every channel fails, the client gets the last error and is charged nothing', async () => {
  const charges = await world.rows('select count(*) as n from transfer')
  await world.addChannel(emulator.url, ['emu-error-503'])
  const reply = await world.chat(key, { model: 'emu-error-503' })
  expect(reply.status).toBe(503)
  expect(reply.headers.get('retry-after')).toBe('2')
  expect(await world.rows('select count(*) as n from transfer')).toEqual(charges)
})

test('a refused key of the channel is reported as the operator’s problem, not the client’s', async () => {
  await world.addChannel(emulator.url, ['refused'], { key: 'sk-emu-refused' })
  const reply = await world.chat(key, { model: 'refused' })
  expect(reply.status).toBe(502)
  expect(await reply.text()).not.toMatch(/sk-emu|API key provided/)
})

test('models are listed with their provider, and shown one by one too', async () => {
  const headers = { authorization: `Bearer ${key}` }
  const list = (await (await fetch(`${world.url}/v1/models`, { headers })).json()) as { data: { id: string }[] }
  expect(list.data.map(({ id }) => id)).toContain('emu-fast')
  const one = await fetch(`${world.url}/v1/models/emu-fast`, { headers })
  expect(await one.json()).toMatchObject({ id: 'emu-fast', object: 'model', owned_by: 'OpenAI Compatible' })
  const none = await fetch(`${world.url}/v1/models/nothing`, { headers })
  expect(none.status).toBe(404)
  expect(await none.json()).toMatchObject({ error: { code: 'model_not_found', param: 'model' } })
})

test('a token with a list of models sees and can use only those', async () => {
  const narrow = await world.addToken(world.root, { models: 'emu-fast' })
  const headers = { authorization: `Bearer ${narrow}` }
  const list = (await (await fetch(`${world.url}/v1/models`, { headers })).json()) as { data: { id: string }[] }
  expect(list.data.map(({ id }) => id)).toEqual(['emu-fast'])
  expect((await world.chat(narrow, { model: 'emu-no-usage' })).status).toBe(403)
  expect((await world.chat(narrow, { model: 'emu-fast' })).status).toBe(200)
})
