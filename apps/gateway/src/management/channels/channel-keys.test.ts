import type { AuditEntry } from '@sluice/contract/audit'
import type { Channel, ChannelKey } from '@sluice/contract/channel'
import { googleDocument } from '@sluice/testkit/channel-bodies'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('several keys in one channel', () => {
  let bench: ManagementBench
  let root: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const send = <D>(method: string, path: string, body?: object) =>
    bench.ask<D>(method, path, { as: root, ...(body === undefined ? {} : { body }) })
  const add = async (key: string, more: object = {}) => {
    const body = { name: 'c', type: 1, key, keys_in_one: true, models: 'm', ...more }
    const reply = await send<number[]>('POST', '/api/channel/', body)
    expect(reply.message).toBe('')
    return reply.data ?? []
  }
  const put = (body: object) => send<Channel>('PUT', '/api/channel/', body)
  const keysOf = async (id: number) => (await send<ChannelKey[]>('GET', `/api/channel/${id}/keys`)).data ?? []
  const one = async (key: string, more?: object) => (await add(key, more))[0] ?? 0
  const row = (id: number) =>
    bench.database.kysely
      .selectFrom('channel')
      .select(['key_sealed', 'key_count'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const storedText = async (id: number) => {
    const opened = bench.vault.open('channel_key', (await row(id)).key_sealed)
    return opened.ok ? opened.text : opened.reason
  }
  const storedKeys = async (id: number): Promise<unknown> => JSON.parse(await storedText(id))

  it('are given as lines; repeated ones are left out and counted', async () => {
    const body = { name: 'c', type: 1, key: ' a1 \n\nb1\na1\r\nc1\n', keys_in_one: true, models: 'm' }
    const reply = await send<number[]>('POST', '/api/channel/', body)
    expect(reply).toMatchObject({ success: true, duplicate_keys: 1 })
    const [id = 0, ...others] = reply.data ?? []
    expect(others).toEqual([])
    expect(await storedKeys(id)).toEqual(['a1', 'b1', 'c1'])
    expect((await send<Channel>('GET', `/api/channel/${id}`)).data?.key_count).toBe(3)
    const keys = await keysOf(id)
    expect(keys.map(({ position, status, reason, since }) => [position, status, reason, since])).toEqual([
      [1, 1, '', 0],
      [2, 1, '', 0],
      [3, 1, '', 0],
    ])
    expect(new Set(keys.map(({ fingerprint }) => fingerprint)).size).toBe(3)
  })

  it('become a channel each unless one channel is requested, and one line is an ordinary channel', async () => {
    expect(await add('a2\nb2', { keys_in_one: false })).toHaveLength(2)
    const id = await one('a2')
    expect(await storedText(id)).toBe('a2')
    expect((await row(id)).key_count).toBe(0)
    expect(await keysOf(id)).toHaveLength(1)
  })

  it('can be documents with lines of their own', async () => {
    const keys = ['eu', 'us'].map((region) => `${region}|p|${JSON.stringify(JSON.parse(googleDocument()))}`)
    expect(await storedKeys(await one(keys.join('\n'), { type: 42 }))).toEqual(keys)
  })

  it('are checked one by one, and are limited to a thousand', async () => {
    const body = { name: 'c', type: 1, keys_in_one: true, models: 'm' }
    const bad = await send('POST', '/api/channel/', { ...body, key: 'good\nno good' })
    expect(bad.message).toContain('key 2 may contain only printable ASCII')
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`).join('\n')
    expect((await send('POST', '/api/channel/', { ...body, key: lines(1_001) })).message).toContain('at most 1000 keys')
    const id = await one(lines(1_000))
    expect((await put({ id, key: 'one-more', key_mode: 'append' })).message).toContain('at most 1000 keys')
    expect((await row(id)).key_count).toBe(1_000)
  })

  it('can be added, also to a channel that had one, and replaced', async () => {
    const id = await one('a3')
    expect(await put({ id, key: 'b3\na3\nc3', key_mode: 'append' })).toMatchObject({
      duplicate_keys: 1,
      data: { key_count: 3 },
    })
    expect(await storedKeys(id)).toEqual(['a3', 'b3', 'c3'])
    expect((await put({ id, key: 'd3\ne3', keys_in_one: true })).data?.key_count).toBe(2)
    expect(await storedKeys(id)).toEqual(['d3', 'e3'])
    expect((await put({ id, name: 'renamed', key: '', keys_in_one: true })).data).toMatchObject({ key_count: 2 })
    expect((await put({ id, key: 'f3' })).data?.key_count).toBe(1)
    expect(await storedText(id)).toBe('f3')
    expect((await put({ id, key: 'g3\nh3' })).message).toContain('an update accepts only one key')
  })

  it('of AWS get a new region together, and whole ones are added by their parts', async () => {
    const id = await one('AK|SK|eu-west-1\nAL|SL|eu-west-1|session', { type: 33, config: '{"region":"eu-west-1"}' })
    const [, second] = await keysOf(id)
    await send('PUT', `/api/channel/${id}/keys/${second?.fingerprint}`, { status: 2 })
    expect((await put({ id, config: '{"region":"us-east-1"}' })).message).toBe('')
    expect(await storedKeys(id)).toEqual(['AK|SK|us-east-1', 'AL|SL|us-east-1|session'])
    expect((await keysOf(id)).map(({ status }) => status)).toEqual([1, 2])
    const half = await put({ id, config: '{"region":"us-east-1","ak":"AM"}', key_mode: 'append' })
    expect(half.message).toContain('config.sk')
    const parts = '{"region":"us-west-2","ak":"AM","sk":"SM"}'
    expect((await put({ id, config: parts, key_mode: 'append' })).message).toBe('')
    expect(await storedKeys(id)).toEqual(['AK|SK|us-east-1', 'AL|SL|us-east-1|session', 'AM|SM|us-west-2'])
  })

  it('that become one by a new region take the better of the two states', async () => {
    for (const [offBefore, statusAfter] of [
      [[1], 1],
      [[2], 1],
      [[1, 2], 2],
    ] as const) {
      const keys = 'AK|SK|eu-west-1\nAK|SK|us-east-1\nAL|SL|us-east-1'
      const id = await one(keys, { type: 33, config: '{"region":"eu-west-1"}' })
      for (const { position, fingerprint } of await keysOf(id)) {
        if (offBefore.some((at) => at === position)) {
          await send('PUT', `/api/channel/${id}/keys/${fingerprint}`, { status: 2 })
        }
      }
      expect((await put({ id, config: '{"region":"us-east-1"}' })).message).toBe('')
      expect(await storedKeys(id)).toEqual(['AK|SK|us-east-1', 'AL|SL|us-east-1'])
      expect((await keysOf(id)).map(({ status }) => status)).toEqual([statusAfter, 1])
    }
  })

  it('are switched off and on one by one, but the last one only with its channel', async () => {
    const id = await one('a4\nb4')
    const [first, second] = await keysOf(id)
    const turn = (key: ChannelKey | undefined, status: number) =>
      send('PUT', `/api/channel/${id}/keys/${key?.fingerprint}`, { status })
    expect((await turn(first, 2)).success).toBe(true)
    expect((await turn(first, 2)).success).toBe(true)
    expect(await keysOf(id)).toMatchObject([
      { position: 1, status: 2, reason: '', since: Math.floor(bench.clock.now / 1_000) },
      { status: 1, since: 0 },
    ])
    expect(await turn(second, 2)).toMatchObject({ success: false, code: 'last_key' })
    expect((await turn(first, 1)).success).toBe(true)
    expect((await turn(second, 2)).success).toBe(true)
    expect(await turn(second, 3)).toMatchObject({ success: false })
    expect(await turn({ ...keyOf('f'.repeat(12)) }, 2)).toMatchObject({ code: 'not_found' })
  })

  it('are deleted one by one, but not the last one that is on', async () => {
    const id = await one('a5\nb5\nc5')
    const [first, second, third] = await keysOf(id)
    const remove = (key: ChannelKey | undefined) => send('DELETE', `/api/channel/${id}/keys/${key?.fingerprint}`)
    await send('PUT', `/api/channel/${id}/keys/${third?.fingerprint}`, { status: 2 })
    expect((await remove(second)).success).toBe(true)
    expect(await remove(second)).toMatchObject({ code: 'not_found' })
    expect(await storedKeys(id)).toEqual(['a5', 'c5'])
    expect(await remove(first)).toMatchObject({ success: false, code: 'last_key' })
    expect((await put({ id, key: 'd5', key_mode: 'append' })).data?.key_count).toBe(3)
    expect((await remove(first)).success).toBe(true)
    expect((await keysOf(id)).map(({ status }) => status)).toEqual([2, 1])
    expect((await remove(third)).success).toBe(true)
    const [last] = await keysOf(id)
    expect(await remove(last)).toMatchObject({ code: 'last_key' })
  })

  it('start afresh when they are given again, and are part of a copy', async () => {
    const id = await one('a6\nb6')
    const [first] = await keysOf(id)
    await send('PUT', `/api/channel/${id}/keys/${first?.fingerprint}`, { status: 2 })
    const copy = (await send<Channel>('POST', `/api/channel/${id}/duplicate`, {})).data
    expect(copy?.key_count).toBe(2)
    expect((await keysOf(copy?.id ?? 0)).map(({ status }) => status)).toEqual([2, 1])
    await put({ id, key: 'a6\nc6', keys_in_one: true })
    expect((await keysOf(id)).map(({ status }) => status)).toEqual([1, 1])
  })

  it('have what is held against them forgotten when an administrator changes or switches them on, not for other changes', async () => {
    const id = await one('a9\nb9')
    const [first] = await keysOf(id)
    const path = `/api/channel/${id}/keys/${first?.fingerprint}`
    const coolsDown = async (change: () => Promise<{ success: boolean }>) => {
      const lane = { channel: id, key: first?.fingerprint ?? '', model: 'm' }
      bench.health.adopt({ ...lane, cause: 'limited', until: bench.clock.now + 60_000 })
      expect((await change()).success).toBe(true)
      return bench.health.standing(lane, bench.clock.now).kind === 'resting'
    }
    expect(await coolsDown(() => put({ id, weight: 3, models: 'm,n' }))).toBe(true)
    expect(await coolsDown(() => send('PUT', path, { status: 2 }))).toBe(true)
    expect(await coolsDown(() => send('PUT', path, { status: 1 }))).toBe(false)
    expect(await coolsDown(() => put({ id, key: 'c9', key_mode: 'append' }))).toBe(false)
    expect(await coolsDown(() => put({ id, base_url: 'https://moved.example' }))).toBe(false)
    expect(await coolsDown(() => send('PUT', '/api/channel/?status_only=1', { id, status: 1 }))).toBe(false)
  })

  it('are recorded when an administrator switches one', async () => {
    const id = await one('a7\nb7')
    const [first] = await keysOf(id)
    const last = async () => (await send<AuditEntry[]>('GET', '/api/audit/?size=1')).data?.[0]
    await send('PUT', `/api/channel/${id}/keys/${first?.fingerprint}`, { status: 2 })
    expect(await last()).toMatchObject({
      target_kind: 'channel',
      target_id: String(id),
      before: { keys_off: '' },
      after: { keys_off: `${first?.fingerprint} (2)` },
    })
    await send('DELETE', `/api/channel/${id}/keys/${first?.fingerprint}`)
    expect(await last()).toMatchObject({ before: { key_count: 2 }, after: { key_count: 1, keys_off: '' } })
  })

  it('added at the same moment are not lost: the later call is refused', async () => {
    const id = await one('a8')
    const replies = await Promise.all(['b8', 'c8', 'd8'].map((key) => put({ id, key, key_mode: 'append' })))
    const kept = replies.filter(({ success }) => success).length
    expect(kept).toBeGreaterThan(0)
    expect((await keysOf(id)).length).toBe(1 + kept)
    for (const reply of replies.filter(({ success }) => !success)) expect(reply.code).toBe('channel_changed')
  })
})

function keyOf(fingerprint: string): ChannelKey {
  return { position: 1, fingerprint, status: 1, reason: '', since: 0 }
}
