// @module-tag slow
import { type ManagementBench, openManagementBench, type Reply } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newTotpSecret } from '../identity/totp.ts'
import { ensureRoot } from './root-account.ts'

const cookiesOf = (reply: Reply<unknown>): string =>
  reply.headers
    .getSetCookie()
    .map((cookie) => cookie.replace(/;.*$/, ''))
    .join('; ')

describe('failing in another user’s name', { tags: 'S48' }, () => {
  let bench: ManagementBench
  let root: string
  beforeAll(async () => {
    bench = await openManagementBench()
    await ensureRoot(bench.deps, 'a root password')
    root = cookiesOf(await signIn('root', 'a root password', '127.0.0.1'))
    for (const username of ['ann', 'bob', 'cid', 'dan'])
      await bench.ask('POST', '/api/user/', { as: root, body: { username, password: 'right-password' } })
    const settings = { SMTPServer: 'smtp.example.org', SMTPFrom: 'sluice@example.org' }
    for (const [key, value] of Object.entries(settings))
      await bench.ask('PUT', '/api/option/', { as: root, body: { key, value } })
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const signIn = (username: string, password: string, address: string, cookie = '', more: object = {}) =>
    bench.ask('POST', '/api/user/login', {
      body: { username, password, ...more },
      headers: { 'x-test-address': address, cookie },
    })
  const attack = async (username: string) => {
    await Promise.all(Array.from({ length: 15 }, (_, host) => signIn(username, 'wrong', `198.51.100.${host}`)))
    expect(await signIn(username, 'right-password', '198.51.100.99')).toMatchObject({ code: 'login_throttled' })
  }

  it('does not keep out a user who has signed in from this browser before, wherever it is now', async () => {
    const device = cookiesOf(await signIn('ann', 'right-password', '203.0.113.1'))
    await attack('ann')
    bench.clock.now += 30 * 24 * 3_600_000
    await attack('ann')
    expect(await signIn('Ann ', 'right-password', '203.0.113.2', device)).toMatchObject({ code: 'bad_credentials' })
    expect(await signIn('ann', 'right-password', '203.0.113.2', device)).toMatchObject({ success: true })
    expect(await signIn('ann', 'right-password', '198.51.100.7', device)).toMatchObject({ success: true })
  })

  it('keeps no one out at this machine, not even root', async () => {
    await attack('root')
    expect(await signIn('root', 'a root password', '127.0.0.1')).toMatchObject({ success: true })
  })

  it('does not keep out a user who resets the password by mail', async () => {
    const email = 'bob@example.org'
    await bench.database.kysely.updateTable('user').set({ email }).where('username', '=', 'bob').execute()
    await attack('bob')
    await bench.ask('GET', `/api/reset_password?email=${email}`)
    await bench.settleBackground()
    const link = new URL(/https?:\/\/\S+/.exec((await bench.mails()).at(-1)?.text ?? '')?.[0] ?? 'about:')
    const body = { email, token: link.searchParams.get('token'), password: 'another-password' }
    const device = cookiesOf(await bench.ask('POST', '/api/user/reset', { body }))
    expect(await signIn('bob', 'another-password', '203.0.113.5', device)).toMatchObject({ success: true })
  })

  it('is limited in such a browser too, and its cookie is worthless for another name or after a change', async () => {
    const device = cookiesOf(await signIn('cid', 'right-password', '203.0.113.9'))
      .split('; ')
      .find((cookie) => cookie.startsWith('known_device='))
    if (device === undefined) throw new Error('no cookie')
    await attack('dan')
    expect(await signIn('dan', 'right-password', '203.0.113.9', device)).toMatchObject({ code: 'login_throttled' })
    await attack('cid')
    for (const forged of [device.slice(0, -1), `${device}A`, 'known_device=', `known_device=${'x'.repeat(5_000)}`])
      expect(await signIn('cid', 'right-password', '203.0.113.9', forged)).toMatchObject({ code: 'login_throttled' })
    const tries = await Promise.all(Array.from({ length: 14 }, () => signIn('cid', 'wrong', '203.0.113.9', device)))
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(10)
    bench.clock.now += 91 * 24 * 3_600_000
    await attack('cid')
    expect(await signIn('cid', 'right-password', '203.0.113.9', device)).toMatchObject({ code: 'login_throttled' })
  })

  it('with the password but not the second step keeps out no user who has signed in from this browser', async () => {
    const device = cookiesOf(await signIn('dan', 'right-password', '127.0.0.1'))
    const totp_sealed = bench.vault.seal('totp', newTotpSecret(bench.deps.randomBytes))
    await bench.database.kysely.updateTable('user').set({ totp_sealed }).where('username', '=', 'dan').execute()
    const wrong = { totp_code: '000000' }
    for (let host = 0; host < 12; host++) await signIn('dan', 'right-password', `192.0.2.${host}`, '', wrong)
    bench.clock.now += 300_000
    expect(await signIn('dan', 'right-password', '192.0.2.99', '', wrong)).toMatchObject({ code: 'login_throttled' })
    expect(await signIn('dan', 'right-password', '203.0.113.9', device, wrong)).toMatchObject({ code: 'totp_wrong' })
  })
})
