// @module-tag slow
import { ROLE } from '@sluice/contract/capability'
import { type ManagementBench, openManagementBench, type Reply } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newTotpSecret } from '../identity/totp.ts'

const OLD = 'ann@example.org'
const NEW = 'other@example.org'
const MINUTES = 60_000

describe('a change of one’s address', { tags: 'S39' }, () => {
  let bench: ManagementBench
  let ann: string
  beforeEach(async () => {
    bench = await openManagementBench()
    const root = await bench.addCaller('root', ROLE.root)
    const options = { SMTPServer: 'smtp.example.org', SMTPFrom: 'sluice@example.org' }
    for (const [key, value] of Object.entries(options))
      await bench.ask('PUT', '/api/option/', { as: root, body: { key, value } })
    await bench.ask('POST', '/api/user/', { as: root, body: { username: 'ann', password: 'a password', email: OLD } })
    ann = cookieOf(await bench.ask('POST', '/api/user/login', { body: { username: 'ann', password: 'a password' } }))
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const cookieOf = (reply: Reply<unknown>) => reply.headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? ''
  const put = (body: object) => bench.ask('PUT', '/api/user/self', { as: ann, body })
  const row = () =>
    bench.database.kysely.selectFrom('user').selectAll().where('username', '=', 'ann').executeTakeFirstOrThrow()
  const asked = { status: 200, success: false, code: 'step_up_required' }

  it('takes the password, unless the sign-in is fresh; any other change takes none', async () => {
    bench.clock.now += 10 * MINUTES
    for (const email of [NEW, '']) {
      expect(await put({ email })).toMatchObject({ ...asked, data: { password_required: true } })
      expect(await put({ email, current_password: 'a guess' })).toMatchObject({ success: false, code: 'step_up_wrong' })
    }
    expect((await row()).email).toBe(OLD)
    expect(await put({ email: OLD, display_name: 'Ann' })).toMatchObject({ success: true })
    expect(await put({ email: NEW, current_password: 'a password' })).toMatchObject({ success: true })
    ann = cookieOf(await bench.ask('POST', '/api/user/login', { body: { username: 'ann', password: 'a password' } }))
    expect(await put({ email: OLD })).toMatchObject({ success: true })
  })

  it(
    'takes the password also when the sign-in was dated by a clock that was ahead, and that session ends on time',
    { tags: 'S45' },
    async () => {
      bench.clock.now -= 365 * 24 * 60 * MINUTES
      expect(await put({ email: NEW })).toMatchObject({ ...asked, data: { password_required: true } })
      const { expires_time: ends } = await bench.database.kysely
        .selectFrom('session')
        .innerJoin('user', 'user.id', 'session.user_id')
        .select('expires_time')
        .where('username', '=', 'ann')
        .executeTakeFirstOrThrow()
      expect(ends).toBe(bench.clock.now / 1_000 + 7 * 24 * 3_600)
    },
  )

  it('is not made by guessing the password', async () => {
    bench.clock.now += 10 * MINUTES
    const body = { email: NEW, current_password: 'a guess' }
    const guesses = await Promise.all(Array.from({ length: 14 }, () => put(body)))
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(4)
    expect(await put({ email: NEW, current_password: 'a password' })).toMatchObject({ code: 'login_throttled' })
  })

  it('takes the second step where there is one, and a new sign-in where there is neither', async () => {
    bench.clock.now += 10 * MINUTES
    const { id } = await row()
    const sealed = bench.vault.seal('totp', newTotpSecret(bench.deps.randomBytes))
    await bench.database.kysely.updateTable('user').set({ totp_sealed: sealed }).where('id', '=', id).execute()
    expect(await put({ email: NEW, current_password: 'a password' })).toMatchObject({
      ...asked,
      data: { totp_required: true },
    })
    expect(await put({ email: NEW, totp_code: '000000' })).toMatchObject({ code: 'totp_wrong' })
    const without = { totp_sealed: null, password_hash: '' }
    await bench.database.kysely.updateTable('user').set(without).where('id', '=', id).execute()
    expect(await put({ email: NEW })).toMatchObject({ ...asked, data: { sign_in_required: true } })
    expect((await row()).email).toBe(OLD)
  })

  it('asks the same of an access token, and of a session that was only renewed', async () => {
    const { data: token = '' } = await bench.ask<string>('GET', '/api/user/token', { as: ann })
    expect(
      await bench.ask('PUT', '/api/user/self', { headers: { authorization: token }, body: { email: NEW } }),
    ).toMatchObject(asked)
    bench.clock.now += 10 * MINUTES
    ann = cookieOf(await put({ password: 'a new password' }))
    expect(await put({ email: NEW })).toMatchObject(asked)
  })

  it('asks the same in the family’s call', async () => {
    await bench.ask('GET', `/api/verification?email=${NEW}`, { as: ann })
    const code = /\b[2-9A-HJ-NP-Z]{6}\b/.exec((await bench.mails()).at(-1)?.text ?? '')?.[0] ?? ''
    bench.clock.now += 9 * MINUTES + 59_000
    const bind = () => bench.ask('GET', `/api/oauth/email/bind?email=${NEW}&code=${code}`, { as: ann })
    bench.clock.now += 1_000
    expect(await bind()).toMatchObject(asked)
    bench.clock.now -= 1_000
    expect(await bind()).toMatchObject({ success: true })
  })

  it('is reported to the old address, and ends the reset link that went there', async () => {
    await bench.ask('GET', `/api/reset_password?email=${OLD}`)
    await bench.settleBackground()
    const token = new URL(/https?:\/\/\S+/.exec((await bench.mails()).at(-1)?.text ?? '')?.[0] ?? 'about:')
    expect(await put({ email: NEW })).toMatchObject({ success: true })
    expect((await bench.mails()).at(-1)).toMatchObject({ kind: 'email_changed', to: OLD })
    const body = { email: NEW, token: token.searchParams.get('token'), password: 'a new password' }
    expect(await bench.ask('POST', '/api/user/reset', { body })).toMatchObject({ code: 'reset_link_invalid' })
  })
})
