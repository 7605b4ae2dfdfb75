// @module-tag slow
import { ROLE } from '@sluice/contract/capability'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const PASSWORD = 'a good password'

describe('the second step', () => {
  let bench: ManagementBench
  let root: TestCaller
  let ann: TestCaller
  let host = 0
  beforeEach(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', ROLE.root)
    const changed = await bench.addCaller('ann', ROLE.user)
    const reply = await bench.ask('PUT', '/api/user/self', { as: changed, body: { password: PASSWORD } })
    ann = { ...changed, cookie: cookieOf(reply) }
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const cookieOf = (reply: { headers: Headers }): string => reply.headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? ''
  const from = () => ({ 'x-test-address': `198.51.${Math.floor(host / 200)}.${(host += 1) % 200}` })
  const codeAt = (secret: string, steps = 0) =>
    new TOTP({ secret }).generate({ timestamp: bench.clock.now + steps * 30_000 })
  const signIn = (totp_code?: string, headers: Record<string, string> = from()) =>
    bench.ask('POST', '/api/user/login', { headers, body: { username: 'ann', password: PASSWORD, totp_code } })
  const setup = async (as: TestCaller | string = ann) =>
    (await bench.ask<{ secret: string; qr_code: string }>('GET', '/api/user/totp/setup', { as })).data
  const confirm = (totp_code: string, as: TestCaller | string = ann) =>
    bench.ask<{ recovery_codes: string[] }>('POST', '/api/user/totp/confirm', { as, body: { totp_code } })
  const disable = (totp_code: string, as: TestCaller | string = ann) =>
    bench.ask('POST', '/api/user/totp/disable', { as, body: { totp_code } })
  const status = async (as: TestCaller | string = ann) => (await bench.ask('GET', '/api/user/totp/status', { as })).data
  const enable = async () => {
    const secret = (await setup())?.secret ?? ''
    const reply = await confirm(codeAt(secret))
    expect(reply.success).toBe(true)
    ann = { ...ann, cookie: cookieOf(reply) }
    bench.clock.now += 30_000
    return { secret, codes: reply.data?.recovery_codes ?? [] }
  }

  it('is set up with a secret, confirmed with a code of it, and required from then on', async () => {
    expect(await status()).toEqual({ totp_enabled: false, recovery_codes_left: 0 })
    const begun = await setup()
    expect(begun?.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(begun?.qr_code).toContain(`secret=${begun?.secret ?? ''}`)
    expect(await confirm('12345')).toMatchObject({ message: 'totp_code: Enter a valid 6-digit code.' })
    expect(await confirm(codeAt(begun?.secret ?? '', 5))).toMatchObject({ status: 200, code: 'totp_wrong' })
    expect(await signIn()).toMatchObject({ success: true })
    const confirmed = await confirm(codeAt(begun?.secret ?? ''))
    expect(confirmed.data?.recovery_codes).toHaveLength(10)
    expect(await status(cookieOf(confirmed))).toEqual({ totp_enabled: true, recovery_codes_left: 10 })

    bench.clock.now += 30_000
    const request = await signIn()
    expect(request).toMatchObject({
      status: 200,
      success: false,
      message: 'totp_required',
      data: { totp_required: true },
    })
    expect(request.headers.getSetCookie()).toEqual([])
    expect(await signIn('000000')).toMatchObject({ status: 200, success: false, code: 'totp_wrong' })
    expect((await signIn('000000')).message).toMatch(/totp/i)
    expect(await signIn(codeAt(begun?.secret ?? ''))).toMatchObject({ success: true, data: { username: 'ann' } })
  })

  it('is not mentioned without the right password', { tags: 'S31' }, async () => {
    await enable()
    const reply = await bench.ask('POST', '/api/user/login', {
      headers: from(),
      body: { username: 'ann', password: 'wrong', totp_code: '123456' },
    })
    expect(reply).toMatchObject({ code: 'bad_credentials' })
    expect(reply.data).toBeUndefined()
  })

  it('takes every code once, also in parallel, and never an earlier one', { tags: 'S13' }, async () => {
    const { secret } = await enable()
    const code = codeAt(secret)
    const parallel = await Promise.all([signIn(code), signIn(code), signIn(code)])
    expect(parallel.filter((reply) => reply.success)).toHaveLength(1)
    expect(await signIn(code)).toMatchObject({ code: 'totp_wrong' })
    expect(await signIn(codeAt(secret, -1))).toMatchObject({ code: 'totp_wrong' })
    expect(await signIn(codeAt(secret, 1))).toMatchObject({ success: true })
    expect(await signIn(codeAt(secret))).toMatchObject({ code: 'totp_wrong' })
  })

  it('the code that confirmed the setup signs no one in', { tags: 'S13' }, async () => {
    const secret = (await setup())?.secret ?? ''
    const code = codeAt(secret)
    await confirm(code)
    expect(await signIn(code)).toMatchObject({ code: 'totp_wrong' })
  })

  it('the setup belongs to its session, ends in time and is confirmed once', { tags: 'S13' }, async () => {
    const secret = (await setup())?.secret ?? ''
    const other = cookieOf(await signIn())
    expect(await confirm(codeAt(secret), other)).toMatchObject({ code: 'totp_not_begun' })
    expect(await confirm(codeAt(secret), root)).toMatchObject({ code: 'totp_not_begun' })
    bench.clock.now += 600_000
    expect(await confirm(codeAt(secret))).toMatchObject({ code: 'totp_not_begun' })
    const { secret: next } = await enable()
    expect(await confirm(codeAt(next))).toMatchObject({ code: 'totp_not_begun' })
    expect(await bench.ask('GET', '/api/user/totp/setup', { as: ann })).toMatchObject({ code: 'totp_already_on' })
  })

  it(
    'guesses end after ten in an hour, also in parallel, and the right code must wait too',
    { tags: ['S28', 'S31'] },
    async () => {
      const { secret } = await enable()
      const ask = (code: string) => bench.ask('POST', '/api/user/totp/disable', { as: ann, body: { totp_code: code } })
      for (const attempt of [ask, signIn]) {
        const guesses = await Promise.all(Array.from({ length: 14 }, (_, i) => attempt(String(i).padStart(6, '0'))))
        expect(guesses.filter(({ status: answered }) => answered === 429)).toHaveLength(4)
        expect(await attempt(codeAt(secret))).toMatchObject({ status: 429, code: 'login_throttled' })
      }
      bench.clock.now += 6 * 60_000
      expect(await signIn(codeAt(secret))).toMatchObject({ success: true })
    },
  )

  it('guesses in a stolen session do not keep the user from signing in', { tags: 'S48' }, async () => {
    const { secret } = await enable()
    for (let i = 0; i < 14; i++)
      await bench.ask('POST', '/api/user/totp/disable', { as: ann, body: { totp_code: '000000' } })
    expect(await signIn(codeAt(secret))).toMatchObject({ success: true })
  })

  it('right codes never count', async () => {
    const { secret } = await enable()
    for (let i = 0; i < 12; i++) {
      expect((await signIn(codeAt(secret))).success).toBe(true)
      bench.clock.now += 30_000
    }
  })

  it('a recovery code opens the account once, and is stored as a digest', async () => {
    const { codes } = await enable()
    const [first = '', second = ''] = codes
    const parallel = await Promise.all([signIn(first), signIn(first)])
    expect(parallel.filter((reply) => reply.success)).toHaveLength(1)
    expect(await status()).toEqual({ totp_enabled: true, recovery_codes_left: 9 })
    const rows = await bench.database.kysely.selectFrom('recovery_code').select('code_hash').execute()
    expect(rows.every(({ code_hash: hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
    expect(await signIn(rows[0]?.code_hash ?? '')).toMatchObject({ success: false })
    expect(await disable(second.toLowerCase())).toMatchObject({ success: true })
    expect(await signIn()).toMatchObject({ success: true })
  })

  it('new recovery codes replace the old ones, for a code from the app only', async () => {
    const { secret, codes } = await enable()
    const renew = (totp_code: string) =>
      bench.ask<{ recovery_codes: string[] }>('POST', '/api/user/totp/recovery', { as: ann, body: { totp_code } })
    expect(await renew(codes[0] ?? '')).toMatchObject({ code: 'invalid_body' })
    const renewed = await renew(codeAt(secret))
    expect(renewed.data?.recovery_codes).toHaveLength(10)
    expect(await signIn(codes[0])).toMatchObject({ code: 'totp_wrong' })
    expect(await signIn(renewed.data?.recovery_codes[0])).toMatchObject({ success: true })
  })

  it('ends every other session when it is switched on or off', async () => {
    const elsewhere = cookieOf(await signIn())
    const { secret } = await enable()
    expect((await bench.ask('GET', '/api/user/self', { as: elsewhere })).status).toBe(401)
    const second = cookieOf(await signIn(codeAt(secret)))
    bench.clock.now += 30_000
    expect(await disable('')).toMatchObject({ message: 'totp_code: Please enter the TOTP code to disable.' })
    const off = await disable(codeAt(secret))
    expect(off).toMatchObject({ success: true })
    expect((await bench.ask('GET', '/api/user/self', { as: second })).status).toBe(401)
    expect((await bench.ask('GET', '/api/user/self', { as: cookieOf(off) })).status).toBe(200)
    expect(await disable('123456', cookieOf(off))).toMatchObject({ code: 'totp_not_on' })
  })

  it('can be disabled by an administrator for a user of lower rank, which is recorded, and for no one else', async () => {
    await enable()
    const admin = await bench.addCaller('admin', ROLE.admin)
    const off = (as: TestCaller, id: number) => bench.ask('POST', `/api/user/totp/disable/${id}`, { as })
    expect((await off(ann, ann.id)).status).toBe(403)
    expect(await off(admin, root.id)).toMatchObject({ status: 200, success: false, code: 'refused' })
    expect(await off(admin, admin.id)).toMatchObject({ success: false, code: 'refused' })
    expect(await off(root, root.id)).toMatchObject({ success: false, code: 'refused' })
    expect(await off(admin, 999)).toMatchObject({ code: 'not_found' })
    expect(await off(admin, ann.id)).toMatchObject({ success: true })
    expect(await off(admin, ann.id)).toMatchObject({ code: 'totp_not_on' })
    expect((await bench.ask('GET', '/api/user/self', { as: ann })).status).toBe(401)
    expect(await signIn()).toMatchObject({ success: true })
    const logs = await bench.database.kysely.selectFrom('log').select(['type', 'content']).execute()
    expect(logs).toContainEqual({ type: 3, content: `TOTP disabled, by admin (id ${admin.id})` })
  })

  it(
    'keeps its secret sealed, even before it is confirmed, under a purpose of its own',
    { tags: ['S19', 'S20'] },
    async () => {
      const pending = (await setup())?.secret ?? ''
      const held = await bench.database.kysely.selectFrom('ceremony').select('content').execute()
      expect(JSON.stringify(held)).not.toContain(pending)
      const { secret } = await enable()
      const { totp_sealed: sealed } = await bench.database.kysely
        .selectFrom('user')
        .select('totp_sealed')
        .where('id', '=', ann.id)
        .executeTakeFirstOrThrow()
      expect(sealed).not.toContain(secret)
      expect(bench.vault.open('totp', sealed ?? '')).toEqual({ ok: true, text: secret })
      expect(bench.vault.open('option', sealed ?? '').ok).toBe(false)
      expect(JSON.stringify(await bench.ask('GET', '/api/user/self', { as: ann }))).not.toContain(secret)
    },
  )
})
