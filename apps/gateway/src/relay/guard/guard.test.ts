// @module-tag slow
import { listTokenPauses, releaseTokenPause } from '@sluice/contract/routes/token-pauses'
import { updateToken } from '@sluice/contract/routes/tokens'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type HeldUpstream, startHeldUpstream } from '@sluice/testkit/held-upstream'
import { type Site, startSite } from '@sluice/testkit/http-site'
import type { ManagementClient } from '@sluice/testkit/management-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** 5 input tokens at 1 quota and 10 output tokens at 2. */
const COST = 25
const answer = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 10, total_tokens: 15 },
}

let world: GatewayWorld
let site: Site
let held: HeldUpstream
let user: ManagementClient
let other: ManagementClient

beforeAll(async () => {
  site = await startSite(() => ({ body: answer }))
  held = await startHeldUpstream()
  world = await openGatewayWorld()
  await world.addChannel(site.url, ['m'])
  await world.addChannel(held.url, ['held'])
  user = await world.addUser('guarded', 100_000_000)
  other = await world.addUser('stranger', 100_000_000)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await Promise.all([site.close(), held.close()])
})

let turns = 0
/** A further turn of a session; no two turns have the same body. */
function turn(key: string, session?: string, more: object = {}): Promise<Response> {
  const messages = [{ role: 'user', content: `turn ${(turns += 1)}` }]
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return world.chat(
    key,
    { model: 'm', max_tokens: 10, messages, ...more },
    { headers: session === undefined ? headers : { ...headers, 'x-session-id': session } },
  )
}
const statusesOf = async (replies: readonly Promise<Response>[]) =>
  (await Promise.all(replies)).map(({ status }) => status).toSorted((a, b) => a - b)

describe('an amount per session', () => {
  /** Four turns: each holds 54, or a little more. */
  const AMOUNT = 3 * COST + 60
  const SMALL = COST + 45

  test('pauses the session that has used it, says so, and leaves others alone', async () => {
    const key = await world.addToken(user, { name: 'amount', session_quota: AMOUNT })
    const statuses: number[] = []
    let last: Response | undefined
    while (last?.status !== 429 && statuses.length < 10) {
      // oxlint-disable-next-line no-await-in-loop -- an agent sends one turn after the other
      last = await turn(key, 'one')
      statuses.push(last.status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expect(last?.headers.get('x-should-retry')).toBe('false')
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await last?.json()).toMatchObject({
      error: { code: 'session_paused', message: expect.stringContaining(`has used 100 of ${AMOUNT} quota`) as string },
    })
    expect((await turn(key, 'two')).status).toBe(200)
  })

  test('is released by as much again', async () => {
    const key = await world.addToken(user, { name: 'released', session_quota: SMALL })
    expect(await statusesOf([turn(key, 's')])).toEqual([200])
    expect((await turn(key, 's')).status).toBe(429)
    await expect.poll(async () => (await pauses('released')).length).toBe(1)
    const [pause] = await pauses('released')
    expect(pause).toMatchObject({ rule: 'session', quota: COST, allowance: 0, until: 0 })
    await release(pause)
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) {
      // oxlint-disable-next-line no-await-in-loop -- one turn after the other
      statuses.push((await turn(key, 's')).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('ends with a larger amount of the token', async () => {
    const key = await world.addToken(user, { name: 'raised', session_quota: COST })
    expect((await turn(key, 's')).status).toBe(429)
    const [row] = await world.rows(`select id from token where name = 'raised'`)
    const body = { id: Number(row?.['id']), name: 'raised', unlimited_quota: true, session_quota: 1_000 }
    await user.call(updateToken, { body })
    expect((await turn(key, 's')).status).toBe(200)
    await expect.poll(() => pauses('raised')).toEqual([])
  })

  test('is not overrun by calls at the same time', { tags: 'S24' }, async () => {
    const key = await world.addToken(user, { name: 'parallel', session_quota: AMOUNT })
    let over = 0
    const replies = Array.from({ length: 12 }, () => turn(key, 's', { model: 'held' }).finally(() => (over += 1)))
    await expect.poll(() => [held.waiting.length, over], { timeout: 10_000 }).toEqual([2, 10])
    const early = await Promise.race(replies)
    expect(early.status).toBe(429)
    // The session's other calls hold what remains, so this is no pause.
    expect(await early.json()).toMatchObject({ error: { code: 'rate_limited' } })
    await held.answerNext()
    await held.answerNext()
    expect((await statusesOf(replies)).filter((status) => status === 200)).toHaveLength(2)
  })

  test('counts calls that name no session as one a day', async () => {
    const key = await world.addToken(user, { name: 'nameless', session_quota: SMALL })
    expect((await turn(key)).status).toBe(200)
    expect((await turn(key)).status).toBe(429)
    await expect.poll(async () => (await pauses('nameless'))[0]?.subject).toMatch(/^day \d{4}-\d\d-\d\d$/)
  })

  test('of one token is nothing to another that names the same session', { tags: 'S11' }, async () => {
    const key = await world.addToken(user, { name: 'mine', session_quota: SMALL })
    const forged = await world.addToken(other, { name: 'forged', session_quota: SMALL })
    expect((await turn(forged, 's')).status).toBe(200)
    expect((await turn(forged, 's')).status).toBe(429)
    expect((await turn(key, 's')).status).toBe(200)
    await expect.poll(async () => (await other.call(listTokenPauses)).length).toBe(1)
    const [theirs] = await other.call(listTokenPauses)
    await expect(release(theirs)).rejects.toThrow('not found')
  })
})

describe('calls with the same body', () => {
  const same = (key: string, more: object = {}) => world.chat(key, { model: 'm', max_tokens: 10, ...more })

  test('pass up to the limit exactly, whatever ids they carry', async () => {
    const key = await world.addToken(user, { name: 'loop', repeat_rpm: 3 })
    for (let i = 0; i < 3; i++) {
      // oxlint-disable-next-line no-await-in-loop -- a loop sends one after the other
      expect((await same(key, { user: `id ${i}` })).status).toBe(200)
    }
    const refused = await same(key, { user: 'id 4' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600'])
    expect(await refused.json()).toMatchObject({ error: { code: 'session_paused' } })
    // Other bodies still pass in the same session.
    expect((await turn(key)).status).toBe(200)
    await expect.poll(async () => (await pauses('loop')).length).toBe(1)
    await release((await pauses('loop'))[0])
    expect((await same(key)).status).toBe(200)
  })
})

describe('quiet hours', () => {
  test('refuse everything until they end', async () => {
    const key = await world.addToken(user, { name: 'quiet', quiet_hours: quietNow() })
    const refused = await turn(key)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(7_260)
    expect(await refused.json()).toMatchObject({
      error: { code: 'session_paused', message: expect.stringContaining('quiet hours') as string },
    })
    const messages = await fetch(`${world.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'x' }] }),
    })
    expect([messages.status, messages.headers.get('x-should-retry')]).toEqual([429, 'false'])
    expect(await messages.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
  })

  test('that cannot be read are refused with the field', async () => {
    await expect(world.addToken(user, { quiet_hours: '22-7' })).rejects.toThrow('quiet_hours')
  })
})

function quietNow(): string {
  const at = (shift: number) => new Date(Date.now() + shift * 3_600_000).toISOString().slice(11, 16)
  return `${at(-1)}-${at(2)} UTC`
}

const pauses = async (name: string) => (await user.call(listTokenPauses)).filter((each) => each.token_name === name)

async function release(pause: Awaited<ReturnType<typeof pauses>>[number] | undefined): Promise<void> {
  if (pause === undefined) throw new Error('nothing is paused')
  const { token_id, rule, subject } = pause
  await user.call(releaseTokenPause, { body: { token_id, rule, subject } })
}
