// @module-tag slow
import type { ChannelHealth, RoutingDecision, RoutingExplanation } from '@sluice/contract/routing'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addChannel } from '@sluice/testkit/rows'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ThoughtOfRequest } from './channel-ports.ts'

const DECISION: RoutingDecision = {
  by: 'weight',
  lanes: [{ channel: 1, channel_name: 'one', key: 1, keys: 1, model: 'm', priority: 0, weight: 0, order: 1 }],
}

describe('explaining a route', () => {
  let bench: ManagementBench
  let admin: TestCaller
  let requested: ThoughtOfRequest[]
  beforeEach(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
    requested = []
    bench.explain = (request) => {
      requested.push(request)
      return { decision: DECISION, refusal: undefined }
    }
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const explain = (body: object, as = admin) =>
    bench.ask<RoutingExplanation>('POST', '/api/channel/explain', { as, body })
  const health = async (query = '') =>
    (await bench.ask<ChannelHealth[]>('GET', `/api/channel/health${query}`, { as: admin })).data
  const fail = (channel: number, model: string, times: number) => {
    for (let i = 0; i < times; i++) {
      bench.health.begin({ channel, key: 'k', model }, bench.clock.now).end('provider', bench.clock.now)
    }
  }

  it('explains by a group, by the group of a user, and by a token with its owner', async () => {
    const { id } = await bench.addCaller('ann', 1)
    await bench.database.kysely.updateTable('user').set({ group_name: 'vip' }).where('id', '=', id).execute()
    const made = await bench.ask<{ id: number }>('POST', '/api/token/', {
      as: await bench.addCaller('tom', 1),
      body: { name: 't', remain_quota: 5, models: 'm' },
    })
    const token = made.data?.id ?? 0
    expect((await explain({ model: ' m ', group: 'beta' })).data).toEqual({ group: 'beta', decision: DECISION })
    expect((await explain({ model: 'm', user_id: id, channel: 3, session: 's' })).data).toMatchObject({ group: 'vip' })
    expect((await explain({ model: 'm', token_id: token, path: '/v1/messages' })).data).toMatchObject({
      group: 'default',
    })
    expect(requested).toMatchObject([
      { model: 'm', path: '/v1/chat/completions', group: 'beta', pinnedChannel: undefined, session: undefined },
      { group: 'vip', pinnedChannel: 3, session: 's', token: undefined, user: { role: 1, status: 1 } },
      {
        path: '/v1/messages',
        group: 'default',
        token: { token: { id: token, models: ['m'] }, user: { username: 'tom' } },
      },
    ])
  })

  it('says that a path not routed by a model cannot be explained, and not that it is refused', async () => {
    bench.explain = () => undefined
    const reply = await explain({ model: 'm', group: 'g', path: '/v1/messages/count_tokens' })
    expect([reply.success, reply.message]).toEqual([false, expect.stringContaining('path')])
  })

  it('says what the caller would get instead, in status, code and words', async () => {
    bench.explain = () => ({
      decision: { by: 'weight', lanes: [] },
      refusal: { code: 'no_channel', params: { model: 'm', group: 'g' } },
    })
    expect((await explain({ model: 'm', group: 'g' })).data).toEqual({
      group: 'g',
      decision: { by: 'weight', lanes: [] },
      refusal: { code: 'no_channel', status: 503, message: 'No available channel for model m under group g.' },
    })
  })

  it.each([
    [{ model: 'm' }, 'group: must specify exactly one user, token or group.'],
    [{ model: 'm', group: 'g', user_id: 1 }, 'group: must specify exactly one user, token or group.'],
    [{ model: '', group: 'g' }, 'model: Model is required.'],
    [{ model: 'm', user_id: 99 }, 'User not found.'],
    [{ model: 'm', token_id: 99 }, 'Token not found.'],
  ])('refuses %j by naming what is wrong', async (body, message) => {
    expect(await explain(body)).toMatchObject({ success: false, message })
    expect(requested).toEqual([])
  })

  it('is for administrators, and records nothing, because nothing changes', async () => {
    expect(await explain({ model: 'm', group: 'g' }, await bench.addCaller('ann', 1))).toMatchObject({ status: 403 })
    await explain({ model: 'm', group: 'g' })
    expect(await bench.database.kysely.selectFrom('audit').selectAll().execute()).toEqual([])
  })

  it('shows the state of channels, one of them with all its lanes, and forgets what is held against one', async () => {
    const id = await addChannel(bench.database.kysely, { name: 'one' })
    const other = await addChannel(bench.database.kysely, { name: 'two' })
    for (const model of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) fail(id, model, 20)
    bench.health.begin({ channel: other, key: 'k', model: 'a' }, bench.clock.now).end('answered', bench.clock.now)
    expect(await health()).toMatchObject([
      { channel: id, condition: 'resting', lane_count: 7, resting: 7 },
      { channel: other, condition: 'healthy', lane_count: 1 },
    ])
    expect((await health())?.[0]?.lanes).toHaveLength(5)
    expect((await health(`?channel=${id}`))?.map(({ lanes }) => lanes.length)).toEqual([7])
    const forgotten = await bench.ask('POST', `/api/channel/${id}/health/forget`, { as: admin })
    expect(forgotten).toMatchObject({ success: true })
    expect(await health(`?channel=${id}`)).toMatchObject([{ resting: 0 }])
    expect(await bench.ask('POST', '/api/channel/99/health/forget', { as: admin })).toMatchObject({ success: false })
    expect(await bench.database.kysely.selectFrom('audit').select(['action', 'target_id']).execute()).toContainEqual({
      action: 'POST /api/channel/:id/health/forget',
      target_id: String(id),
    })
  })
})
