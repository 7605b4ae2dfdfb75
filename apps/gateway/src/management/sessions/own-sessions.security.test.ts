import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureRoot } from './root-account.ts'

interface Place {
  readonly key: string
  readonly current: boolean
}

describe('one’s own sessions', () => {
  let bench: ManagementBench
  beforeEach(async () => {
    bench = await openManagementBench()
    await ensureRoot(bench.deps, 'a long root password')
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const signIn = async (userAgent: string, address = '127.0.0.1'): Promise<string> => {
    const body = { username: 'root', password: 'a long root password' }
    const headers = { 'user-agent': userAgent, 'x-test-address': address }
    const reply = await bench.ask('POST', '/api/user/login', { body, headers })
    return reply.headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? ''
  }
  const firstKey = async (as: string): Promise<string> => (await list(as))[0]?.key ?? 'none'
  const list = async (as: string) => (await bench.ask<readonly Place[]>('GET', '/api/user/session', { as })).data ?? []

  it('are named by browser, address and time, with the calling one marked', async () => {
    const laptop = await signIn('Laptop')
    bench.clock.now += 2 * 3_600_000
    const phone = await signIn(`Phone ${'x'.repeat(300)}`)
    const now = Math.floor(bench.clock.now / 1_000)
    expect(await list(phone)).toEqual([
      {
        key: expect.stringMatching(/^[0-9a-f]{32}$/),
        current: true,
        user_agent: `Phone ${'x'.repeat(194)}`,
        address: '127.0.0.1',
        created_time: now,
        last_used_time: now,
        expires_time: now + 7 * 24 * 3_600,
      },
      expect.objectContaining({ current: false, user_agent: 'Laptop', last_used_time: now - 7_200 }),
    ])
    await list(laptop)
    expect(await list(phone)).toContainEqual(
      expect.objectContaining({ user_agent: 'Laptop', created_time: now - 7_200, last_used_time: now }),
    )
  })

  it('can be ended from another one, one or all others', async () => {
    const [here, lost, stolen] = [await signIn('Here'), await signIn('Lost'), await signIn('Stolen')]
    const lostKey = (await list(lost)).find(({ current }) => current)?.key
    expect(await bench.ask('DELETE', `/api/user/session/${lostKey}`, { as: here })).toMatchObject({ success: true })
    expect(await bench.ask('GET', '/api/user/self', { as: lost })).toMatchObject({ code: 'not_logged_in' })
    expect(await bench.ask('GET', '/api/user/self', { as: stolen })).toMatchObject({ success: true })
    expect(await bench.ask('DELETE', '/api/user/session', { as: here })).toMatchObject({ success: true, data: 1 })
    expect(await bench.ask('GET', '/api/user/self', { as: stolen })).toMatchObject({ code: 'not_logged_in' })
    expect(await list(here)).toHaveLength(1)
  })

  it('of another user are neither shown nor ended', { tags: 'S11' }, async () => {
    const root = await signIn('Root')
    const ann = await bench.addCaller('ann', 1)
    const key = await firstKey(root)
    const mine = await bench.ask<readonly Place[]>('GET', '/api/user/session', { as: ann })
    expect(mine.data).toHaveLength(1)
    expect(mine.data).not.toContainEqual(expect.objectContaining({ key }))
    expect(await bench.ask('DELETE', `/api/user/session/${key}`, { as: ann })).toMatchObject({ code: 'not_found' })
    expect(await bench.ask('DELETE', '/api/user/session', { as: ann })).toMatchObject({ data: 0 })
    expect(await list(root)).toHaveLength(1)
  })

  it('are not named by anything that opens them', { tags: 'S20' }, async () => {
    const cookie = await signIn('Here')
    const key = await firstKey(cookie)
    expect(cookie).not.toContain(key)
    expect(await bench.ask('GET', '/api/user/self', { as: `session=${key}` })).toMatchObject({ code: 'not_logged_in' })
  })
})
