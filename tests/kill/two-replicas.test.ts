import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChannel } from '@sluice/contract/routes/channels'
import { listRunningCalls, stopRunningCall } from '@sluice/contract/routes/running-calls'
import { listTokenPauses, releaseTokenPause } from '@sluice/contract/routes/token-pauses'
import { createToken } from '@sluice/contract/routes/tokens'
import { type Database, openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { ROOT_PASSWORD } from '@sluice/testkit/gateway-process'
import { type LocalPostgres, startLocalPostgres } from '@sluice/testkit/local-postgres'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { openRealtimeClient } from '@sluice/testkit/realtime-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Replicas, startReplicas } from './replicas.ts'
import { expectNoFaults, inspect } from './world.ts'

/** Two gateways on one PostgreSQL must know each other's calls, session costs and releases. */
const ANTHROPIC = 14
const PRICE = { ratio: 1, completion_ratio: 2 }
/** 40 prompt and 10 answer tokens, at 1 and 2 quota; the hold is slightly less. */
const COST = 60
const ANSWER = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 40, completion_tokens: 10, total_tokens: 50 },
}
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'

let dataDir: string
let server: LocalPostgres
let emulator: Emulator
let upstream: RawUpstream
const streams: Socket[] = []
let replicas: Replicas
let database: Database
let a: string
let b: string
let rootOfA: ManagementClient

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-two-'))
  upstream = await startRawUpstream((socket, request) => {
    if (request.includes('"stream":true')) streams.push(socket)
    else socket.write(reply(ANSWER))
  })
  ;[server, emulator] = await Promise.all([startLocalPostgres(), startEmulator()])
  await administer(server.url, 'create database sluice')
  const url = databaseUrl(server.url, 'sluice')
  const env = { DATABASE_URL: url, SLUICE_MASTER_KEY: randomBytes(32).toString('base64') }
  replicas = await startReplicas(2, { dataDir, env })
  ;[a = '', b = ''] = replicas.urls()
  database = await openDatabase({ url })
  rootOfA = await signIn(a, 'root', ROOT_PASSWORD)
  await addChannel(upstream.url, ['m'], 50)
  await addChannel(emulator.url, ['emu-fast'], ANTHROPIC)
})
afterEach(async () => expectNoFaults(await inspect(database, [], 10_000)))
afterAll(async () => {
  await replicas.stop()
  await database.close()
  await Promise.all([upstream.close(), emulator.close(), server.stop()])
  await rm(dataDir, { recursive: true, force: true })
})

function reply(body: object): string {
  const text = JSON.stringify(body)
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

async function addChannel(baseUrl: string, models: readonly string[], type: number): Promise<void> {
  const body = {
    name: 'upstream',
    type,
    key: 'upstream-key',
    base_url: baseUrl,
    models: models.join(','),
    model_configs: JSON.stringify(Object.fromEntries(models.map((model) => [model, PRICE]))),
  }
  await rootOfA.call(createChannel, { body })
}

const addToken = (name: string, more: object = {}) =>
  rootOfA.call(createToken, { body: { name, unlimited_quota: true, ...more } })

const chat = (url: string, key: string, body: object = {}) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-session-id': 'one' },
    body: JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Really?' }], ...body }),
  })

let turns = 0
/** A further turn of one session, always with a different body. */
async function turn(url: string, key: string): Promise<number> {
  const response = await chat(url, key, { messages: [{ role: 'user', content: `turn ${(turns += 1)}` }] })
  await response.text()
  return response.status
}

/** Both have loaded the channels and know the token. */
const isKnown = (key: string) =>
  expect
    .poll(async () => {
      const models = [a, b].map(async (url) => {
        const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
        return (await response.text()).match(/"id":"(?:m|emu-fast)"/g)?.length
      })
      return await Promise.all(models)
    })
    .toEqual([2, 2])

const rowsOf = (name: string) =>
  database.kysely.selectFrom('log').selectAll().where('token_name', '=', name).where('type', '=', 2).execute()

async function pauseOf(name: string) {
  const pauses = (await rootOfA.call(listTokenPauses)).filter((each) => each.token_name === name)
  expect(pauses).toHaveLength(1)
  const [{ token_id, rule, subject } = { token_id: 0, rule: 'loop' as const, subject: '' }] = pauses
  return { token_id, rule, subject }
}

describe('the guard of a token', () => {
  /** Costs of this token's sessions that the replicas have reported to each other, in mq. */
  const spent = async (tokenId: number) => {
    const rows = await database.kysely
      .selectFrom('token_pause')
      .select('spent')
      .where('token_id', '=', tokenId)
      .execute()
    return rows.map((row) => Number(row.spent))
  }

  it('refuses at one replica the session whose amount was spent at the other, until it is released', async () => {
    const { id, key } = await addToken('amount', { session_quota: COST })
    await isKnown(key)
    expect(await turn(a, key)).toBe(200)
    await expect.poll(() => spent(id)).toEqual([COST * 1_000])
    expect(await turn(b, key)).toBe(429)
    await expect.poll(async () => (await rootOfA.call(listTokenPauses)).length).toBe(1)
    await rootOfA.call(releaseTokenPause, { body: await pauseOf('amount') })
    await expect.poll(() => turn(b, key)).toBe(200)
    await expect.poll(() => spent(id)).toEqual([2 * COST * 1_000])
    expect([await turn(a, key), await turn(b, key)]).toEqual([429, 429])
    expect(await rowsOf('amount')).toHaveLength(2)
  })

  it('lets one replica serve a body again that was released at the other', async () => {
    const { key } = await addToken('loop', { repeat_rpm: 1 })
    await isKnown(key)
    const same = async (url: string) => (await chat(url, key)).status
    expect([await same(b), await same(b)]).toEqual([200, 429])
    await expect.poll(async () => (await rootOfA.call(listTokenPauses)).some((each) => each.rule === 'loop')).toBe(true)
    await rootOfA.call(releaseTokenPause, { body: await pauseOf('loop') })
    await expect.poll(() => same(b)).toBe(200)
  })
})

it('a websocket that continues at the other replica is told to send the whole, and each response is charged once', async () => {
  const { key } = await addToken('moved')
  await isKnown(key)
  const open = (url: string) =>
    openRealtimeClient(`${url}/v1/responses`, [], { headers: { authorization: `Bearer ${key}` } })
  const create = (more: object) => ({ type: 'response.create', model: 'emu-fast', store: false, ...more })
  const first = await open(a)
  first.send(create({ input: 'Hi' }))
  const { response } = (await first.take('response.completed')) as unknown as {
    readonly response: { readonly id: string; readonly output: readonly object[] }
  }
  await first.close()
  const second = await open(b)
  const next = { role: 'user', content: 'And now?' }
  second.send(create({ previous_response_id: response.id, input: [next] }))
  expect(await second.take('error')).toMatchObject({
    status: 400,
    error: { code: 'previous_response_not_found', param: 'previous_response_id' },
  })
  second.send(create({ input: [{ role: 'user', content: 'Hi' }, ...response.output, next] }))
  await second.take('response.completed')
  await second.close()
  expect(JSON.parse(emulator.journal.calls.at(-1)?.body ?? '{}')).toMatchObject({
    messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }],
  })
  expect((await rowsOf('moved')).map(({ ended }) => ended)).toEqual(['complete', 'complete'])
})

it('a call of one replica is listed and stopped at the other, and what was delivered is charged', async () => {
  const { key } = await addToken('stopped')
  await isKnown(key)
  const replied = chat(b, key, { stream: true })
  await expect.poll(() => streams.length).toBe(1)
  const [socket] = streams
  if (socket === undefined) throw new Error('nothing was asked')
  const closed = once(socket, 'close')
  socket.write(
    `${HEAD}data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Once upon a time' } }] })}\n\n`,
  )
  const text = (await replied).text()
  const id = (await replied).headers.get('x-request-id') ?? ''
  // A replica learns within ten seconds that it is no longer alone.
  await expect
    .poll(() => rootOfA.call(listRunningCalls), { timeout: 20_000 })
    .toMatchObject([{ request_id: id, tokens: 5 }])
  await rootOfA.call(stopRunningCall, { body: { request_id: id } })
  await closed
  expect(await text).toContain('"code":"call_stopped"')
  await expect.poll(() => rowsOf('stopped')).toMatchObject([{ request_id: id, ended: 'stopped' }])
  const [row] = await rowsOf('stopped')
  expect(row?.completion_tokens).toBeGreaterThanOrEqual(4)
  expect(Number(row?.amount)).toBe((Number(row?.prompt_tokens) + 2 * Number(row?.completion_tokens)) * 1_000)
  await expect.poll(() => rootOfA.call(listRunningCalls)).toEqual([])
})
