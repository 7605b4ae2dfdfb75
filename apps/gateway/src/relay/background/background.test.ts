// @module-tag slow
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ALIVE_MS } from '@sluice/store/queries/background-responses'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type ResponsesUpstream, RESPONSE_TEXT, startResponsesUpstream } from '@sluice/testkit/responses-upstream'
import { sql } from 'kysely'
import OpenAI from 'openai'
import type { Response as ModelResponse } from 'openai/resources/responses/responses'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** A chat provider whose streams are written by the test. */
interface Written {
  readonly url: string
  readonly streams: readonly Stream[]
  close(): void
}

interface Stream {
  readonly body: Record<string, unknown>
  readonly isOpen: () => boolean
  say(text: string): void
  drop(): void
  end(usage?: object): void
}

async function startWritten(): Promise<Written> {
  const streams: Stream[] = []
  const chunk = (delta: object, finish: string | null, more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`
  const server = createServer((request, reply) => void answer(request, reply))
  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Record<string, unknown>
    if (JSON.stringify(body).includes(REFUSED)) {
      reply.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: REFUSED } }))
      return
    }
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    streams.push({
      body,
      isOpen: () => !reply.destroyed,
      say: (text) => void reply.write(chunk({ content: text }, null)),
      drop: () => void reply.destroy(),
      end: (usage) => void reply.end(`${chunk({}, 'stop', usage === undefined ? {} : { usage })}data: [DONE]\n\n`),
    })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const REFUSED = 'The word is not allowed.'
const USAGE = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 }

/** Gateway and provider run in this process: after two requests, anything that the provider wrote before them has arrived. */
async function roundTrips(client: OpenAI, id: string): Promise<void> {
  for (let i = 0; i < 2; i++) await client.responses.retrieve(id)
}

describe('responses in the background', () => {
  let provider: Written
  let native: ResponsesUpstream
  let world: GatewayWorld
  let mine: OpenAI
  let others: OpenAI

  beforeAll(async () => {
    provider = await startWritten()
    native = await startResponsesUpstream()
    world = await openGatewayWorld()
    await world.addChannel(provider.url, ['chat', 'unheard'])
    await world.addChannel(native.url, ['native'], { type: 1 })
    const client = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries: 0 })
    mine = client(await world.addToken(world.root))
    others = client(await world.addToken(await world.addUser('somebody', 10_000_000)))
  })
  afterEach(() => world.verify())
  afterAll(async () => {
    await world.close()
    provider.close()
    await native.close()
  })

  const begin = (fields: object = {}, client = mine) =>
    client.responses.create({
      model: 'chat',
      input: 'Think long.',
      background: true,
      ...fields,
    }) as Promise<ModelResponse>
  async function streamOf(count: number): Promise<Stream> {
    await expect.poll(() => provider.streams.length).toBe(count)
    const stream = provider.streams[count - 1]
    if (stream === undefined) throw new Error('no stream')
    return stream
  }
  const statusOf = (id: string) => expect.poll(async () => (await mine.responses.retrieve(id)).status)
  const charges = () =>
    world.rows('select amount, ended, model_name, completion_tokens from log where type = 2 order by id')

  test('are accepted at once, polled while they are made, and kept when they are done', async () => {
    const asked = { instructions: 'Be wise.', metadata: { a: 'b' }, temperature: 0.5 }
    const begun = await begin(asked)
    expect(begun).toMatchObject({ object: 'response', status: 'queued', background: true, output: [], ...asked })
    const stream = await streamOf(1)
    expect(stream.body).toMatchObject({ stream: true })
    stream.say('Forty')
    expect(await mine.responses.retrieve(begun.id)).toMatchObject({
      id: begun.id,
      status: 'in_progress',
      output: [],
      ...asked,
    })
    expect(await charges()).toEqual([])
    stream.say('-two.')
    stream.end(USAGE)
    await statusOf(begun.id).toBe('completed')
    const done = await mine.responses.retrieve(begun.id)
    expect(done).toMatchObject({ id: begun.id, background: true, output_text: 'Forty-two.' })
    expect(done.usage).toMatchObject({ input_tokens: 20, output_tokens: 5 })
    expect(await charges()).toMatchObject([{ amount: 30_000n, ended: 'complete', model_name: 'chat' }])
    expect((await mine.responses.cancel(begun.id)).status).toBe('completed')
    // The process that generated the response also remembers its input.
    const next = await begin({ previous_response_id: begun.id, input: 'Why?' })
    const second = await streamOf(2)
    expect(JSON.stringify(second.body['messages'])).toContain('Forty-two.')
    second.end(USAGE)
    await statusOf(next.id).toBe('completed')
  })

  test('are written down only sealed', async () => {
    const { id } = await begin({ instructions: 'my secret wish' })
    const stream = await streamOf(3)
    stream.say('my secret answer')
    stream.end(USAGE)
    await statusOf(id).toBe('completed')
    const rows = await world.rows('select * from background_response')
    expect(
      JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('secret')
    expect(rows.find((row) => row['id'] === id)?.['response_sealed']).toMatch(/^v1\./)
  })

  test('that are cancelled end the call to the provider and are charged for what was made', async () => {
    const before = (await charges()).length
    const { id } = await begin()
    const stream = await streamOf(4)
    stream.say('One two three four five six seven eight nine ten.')
    await roundTrips(mine, id)
    expect(await mine.responses.cancel(id)).toMatchObject({ id, status: 'cancelled', output: [] })
    await expect.poll(() => stream.isOpen()).toBe(false)
    await expect.poll(async () => (await charges()).length).toBe(before + 1)
    const last = (await charges()).at(-1)
    expect(last).toMatchObject({ ended: 'client_gone' })
    expect(Number(last?.['completion_tokens'])).toBeGreaterThan(8)
    expect((await mine.responses.cancel(id)).status).toBe('cancelled')
    expect((await mine.responses.retrieve(id)).status).toBe('cancelled')
  })

  test('of a model that might have thought more than it showed are not read on when they are cancelled', async () => {
    const { id } = await begin({ model: 'unheard' })
    const stream = await streamOf(5)
    stream.say('Hm.')
    await roundTrips(mine, id)
    await mine.responses.cancel(id)
    await expect.poll(() => stream.isOpen()).toBe(false)
    await expect.poll(async () => (await charges()).at(-1)?.['model_name']).toBe('unheard')
  })

  test('that were cancelled or deleted on another replica end here too', async () => {
    const [first, second] = [await begin(), await begin()]
    await streamOf(7)
    await world.database.kysely
      .updateTable('background_response')
      .set({ status: 'cancelled' })
      .where('id', '=', first.id)
      .execute()
    await world.database.kysely.deleteFrom('background_response').where('id', '=', second.id).execute()
    await expect
      .poll(() => provider.streams.slice(5, 7).map(({ isOpen }) => isOpen()), { timeout: 10_000 })
      .toEqual([false, false])
    expect((await mine.responses.retrieve(first.id)).status).toBe('cancelled')
    await expect(mine.responses.retrieve(second.id)).rejects.toMatchObject({ status: 404 })
  })

  test('that are deleted are gone, with their call', async () => {
    const { id } = await begin()
    const stream = await streamOf(8)
    await mine.responses.delete(id)
    await expect.poll(() => stream.isOpen()).toBe(false)
    await expect(mine.responses.retrieve(id)).rejects.toMatchObject({ status: 404, code: 'response_missing' })
  })

  test('of another user are as unknown as ones that never were', { tags: ['S11', 'S31'] }, async () => {
    const { id } = await begin()
    const stream = await streamOf(9)
    for (const each of [id, `resp_${'0'.repeat(32)}`]) {
      const missing = { status: 404, code: 'response_missing' }
      await expect(others.responses.retrieve(each)).rejects.toMatchObject(missing)
      await expect(others.responses.cancel(each)).rejects.toMatchObject(missing)
      await expect(others.responses.delete(each)).rejects.toMatchObject(missing)
      await expect(others.responses.inputItems.list(each)).rejects.toMatchObject(missing)
      await expect(
        others.responses.create({ model: 'chat', input: 'x', previous_response_id: each }),
      ).rejects.toMatchObject({
        code: 'response_not_kept',
      })
    }
    expect(stream.isOpen()).toBe(true)
    stream.end(USAGE)
    await statusOf(id).toBe('completed')
  })

  test('whose process has died have failed, and are not unknown', async () => {
    const { id } = await begin()
    const stream = await streamOf(10)
    const now = Date.now() - 2 * ALIVE_MS
    stream.end(USAGE)
    await statusOf(id).toBe('completed')
    await world.database.kysely
      .updateTable('background_response')
      .set({ status: 'in_progress', alive_ms: now })
      .where('id', '=', id)
      .execute()
    expect(await mine.responses.retrieve(id)).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
    expect((await mine.responses.cancel(id)).status).toBe('failed')
  })

  test('that break off have failed, with the reason, and are charged for what was made', async () => {
    const { id } = await begin()
    const stream = await streamOf(11)
    stream.say('Half of it')
    await roundTrips(mine, id)
    stream.drop()
    await statusOf(id).toBe('failed')
    expect(await mine.responses.retrieve(id)).toMatchObject({ background: true, error: { code: 'upstream_broken' } })
    expect((await charges()).at(-1)).toMatchObject({ ended: 'upstream_broken' })
  })

  test('that the provider refuses have failed with its reason, and cost nothing', async () => {
    const before = (await charges()).length
    const { id } = await begin({ input: REFUSED })
    await statusOf(id).toBe('failed')
    expect((await mine.responses.retrieve(id)).error?.message).toContain(REFUSED)
    expect(await charges()).toHaveLength(before)
  })

  test('are made by the gateway whatever the provider offers, and can be continued where they are stored', async () => {
    const { id } = await begin({ model: 'native' })
    await statusOf(id).toBe('completed')
    const { json } = native.calls.at(-1) ?? { json: {} }
    expect(json).toMatchObject({ background: false, stream: true })
    const done = await mine.responses.retrieve(id)
    expect(done).toMatchObject({ id, background: true, output_text: RESPONSE_TEXT, vendor_field: { kept: true } })
    const made = native.calls.at(-1)?.answered
    await mine.responses.create({ model: 'native', input: 'Go on.', previous_response_id: id })
    expect(native.calls.at(-1)?.json).toMatchObject({ previous_response_id: made })
  })

  test('that cannot be paid or served are refused at once', async () => {
    const poor = await world.addUser('poor', 1)
    const client = new OpenAI({ apiKey: await world.addToken(poor), baseURL: `${world.url}/v1`, maxRetries: 0 })
    await expect(begin({}, client)).rejects.toMatchObject({ code: 'insufficient_user_quota' })
    await expect(begin({ model: 'unknown' })).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
    expect(await world.rows(`select * from background_response where user_id > 2`)).toEqual([])
  })

  test('of one user are so many at most, and nobody else is held up', { tags: 'S27' }, async () => {
    const count = provider.streams.length
    const begun = await Promise.allSettled(Array.from({ length: 70 }, () => begin()))
    const accepted = begun.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(accepted).toHaveLength(64)
    await expect(begin()).rejects.toMatchObject({ status: 429, code: 'rate_limited' })
    const theirs = await begin({}, others)
    await streamOf(count + 65)
    for (const { id } of accepted) await mine.responses.cancel(id)
    await others.responses.cancel(theirs.id)
    await expect.poll(() => provider.streams.filter(({ isOpen }) => isOpen()).length).toBe(0)
    const { id } = await begin()
    await mine.responses.cancel(id)
  })

  test.each([
    [{ stream: true }, 'stream'],
    [{ store: false }, 'store'],
    [{ background: 'yes' }, 'background'],
  ])('%j is refused by its field', async (fields, param) => {
    await expect(begin(fields)).rejects.toMatchObject({ status: 400, param })
  })

  test('are stored again when the database refused what was made of them', async () => {
    const count = provider.streams.length
    const { id } = await begin()
    const stream = await streamOf(count + 1)
    await sql`
      create trigger refused before update of response_sealed on background_response
      begin select raise(abort, 'no room'); end`.execute(world.database.kysely)
    stream.say('Kept.')
    stream.end(USAGE)
    await expect.poll(() => world.log.join('')).toContain('"againInMs":1000')
    await sql`drop trigger refused`.execute(world.database.kysely)
    await statusOf(id).toBe('completed')
    expect((await mine.responses.retrieve(id)).output_text).toBe('Kept.')
  })

  test('are not streamed later', async () => {
    await expect(mine.responses.retrieve(`resp_${'0'.repeat(32)}`, { stream: true })).rejects.toMatchObject({
      status: 400,
      param: 'stream',
    })
  })
})

test('a gateway that stops ends what it makes in the background as failed, and charges it', async () => {
  const provider = await startWritten()
  const world = await openGatewayWorld({ SLUICE_DRAIN_TIMEOUT: '0.2' })
  await world.addChannel(provider.url, ['chat'])
  const client = new OpenAI({ apiKey: await world.addToken(world.root), baseURL: `${world.url}/v1`, maxRetries: 0 })
  const { id } = await client.responses.create({ model: 'chat', input: 'Think long.', background: true })
  await expect.poll(() => provider.streams.length).toBe(1)
  provider.streams[0]?.say('One two three four five.')
  await roundTrips(client, id)
  await world.stop()
  expect(await world.rows(`select id, status from background_response`)).toEqual([{ id, status: 'failed' }])
  expect(await world.rows(`select ended from log where type = 2`)).toEqual([{ ended: 'gateway_stopped' }])
  await world.verify()
  await world.close()
  provider.close()
})
