// @module-tag slow
import { ROLE } from '@sluice/contract/capability'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const EMAIL = 'new@example.org'

describe('a code by mail', () => {
  let bench: ManagementBench
  let root: TestCaller
  let ann: TestCaller
  let host = 0
  beforeEach(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', ROLE.root)
    ann = await bench.addCaller('ann', ROLE.user)
    const options = { SMTPServer: 'smtp.example.org', SMTPFrom: 'sluice@example.org', EmailVerificationEnabled: 'true' }
    for (const [key, value] of Object.entries(options))
      await bench.ask('PUT', '/api/option/', { as: root, body: { key, value } })
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const from = () => ({ 'x-test-address': `198.51.${Math.floor(host / 200)}.${(host += 1) % 200}` })
  const send = (email = EMAIL, headers: Record<string, string> = from()) =>
    bench.ask('GET', `/api/verification?email=${encodeURIComponent(email)}`, { headers })
  const sendOwn = (email = EMAIL, as: TestCaller = ann) =>
    bench.ask('GET', `/api/verification?email=${encodeURIComponent(email)}`, { as, headers: from() })
  const lastCode = async () => /\b[2-9A-HJ-NP-Z]{6}\b/.exec((await bench.mails()).at(-1)?.text ?? '')?.[0] ?? ''
  const bindEmail = (code: string, email = EMAIL, as: TestCaller = ann) =>
    bench.ask('GET', `/api/oauth/email/bind?email=${encodeURIComponent(email)}&code=${code}`, { as, headers: from() })
  const put = (body: object) => bench.ask('PUT', '/api/user/self', { as: ann, body })
  const emailOf = async ({ id }: TestCaller) =>
    (await bench.database.kysely.selectFrom('user').select('email').where('id', '=', id).executeTakeFirstOrThrow())
      .email

  it('binds an address to the account of the caller, once', async () => {
    await sendOwn()
    const code = await lastCode()
    expect(await bindEmail(code)).toMatchObject({ success: true })
    expect(await emailOf(ann)).toBe(EMAIL)
    expect(await bindEmail(code, EMAIL, root)).toMatchObject({ status: 200, success: false, code: 'email_code_wrong' })
  })

  it('proves a changed address in the profile, which nothing else does', async () => {
    expect(await put({ email: EMAIL })).toMatchObject({ success: false, code: 'invalid_body' })
    expect(await put({ email: EMAIL, verification_code: 'AAAAAA' })).toMatchObject({ code: 'email_code_wrong' })
    await sendOwn()
    const verification_code = await lastCode()
    expect(await put({ email: 'other@example.org', verification_code })).toMatchObject({ code: 'email_code_wrong' })
    expect(await put({ email: EMAIL, verification_code })).toMatchObject({ success: true })
    expect(await put({ email: EMAIL, display_name: 'Ann' })).toMatchObject({ success: true })
    expect(await put({ email: '' })).toMatchObject({ success: true })
    expect(await emailOf(ann)).toBe('')
  })

  it('gives no one the address of another account', async () => {
    await bench.database.kysely.updateTable('user').set({ email: EMAIL }).where('id', '=', root.id).execute()
    await sendOwn()
    expect(await bindEmail(await lastCode())).toMatchObject({ code: 'email_taken' })
    await sendOwn()
    expect(await put({ email: EMAIL, verification_code: await lastCode() })).toMatchObject({ code: 'email_taken' })
    expect(await emailOf(ann)).toBe('')
  })

  it('ends with five wrong tries, also in parallel', { tags: 'S31' }, async () => {
    await sendOwn()
    const code = await lastCode()
    const wrong = await Promise.all(Array.from({ length: 9 }, () => bindEmail('AAAAAA')))
    expect(wrong.every((reply) => reply.code === 'email_code_wrong')).toBe(true)
    expect(await bindEmail(code)).toMatchObject({ code: 'email_code_wrong' })
    await sendOwn()
    expect(await bindEmail(await lastCode())).toMatchObject({ success: true })
  })

  it('ends after ten minutes, and with the next code', async () => {
    await sendOwn()
    const first = await lastCode()
    await sendOwn()
    expect(await bindEmail(first)).toMatchObject({ code: 'email_code_wrong' })
    await send()
    const body = {
      username: 'newcomer',
      password: 'a good password',
      email: EMAIL,
      verification_code: await lastCode(),
    }
    bench.clock.now += 600_000
    expect(await bench.ask('POST', '/api/user/register', { headers: from(), body })).toMatchObject({
      code: 'email_code_wrong',
    })
  })

  it('is used up by one of two simultaneous calls', async () => {
    await sendOwn()
    const code = await lastCode()
    const both = await Promise.all([bindEmail(code), put({ email: EMAIL, verification_code: code })])
    expect(both.filter((reply) => reply.success)).toHaveLength(1)
  })

  it(
    'that another user requested, or that is for signing up, changes no address, and takes no try of one that does',
    { tags: 'S39' },
    async () => {
      const eve = await bench.addCaller('eve', ROLE.user)
      await sendOwn(EMAIL, eve)
      const ofEve = await lastCode()
      await send()
      const forRegistration = await lastCode()
      await sendOwn()
      const own = await lastCode()
      for (const foreign of [ofEve, forRegistration]) {
        expect(await bindEmail(foreign)).toMatchObject({ success: false, code: 'email_code_wrong' })
        expect(await put({ email: EMAIL, verification_code: foreign })).toMatchObject({ code: 'email_code_wrong' })
      }
      for (let tries = 0; tries < 9; tries++) await bindEmail('AAAAAA', EMAIL, eve)
      expect(await emailOf(ann)).toBe('')
      expect(await bindEmail(own)).toMatchObject({ success: true })
    },
  )

  it('for one’s own address opens no account, unless it was requested to sign up', { tags: 'S39' }, async () => {
    const register = (code: string) =>
      bench.ask('POST', '/api/user/register', {
        headers: from(),
        body: { username: 'newcomer', password: 'a good password', email: EMAIL, verification_code: code },
      })
    await sendOwn()
    expect(await register(await lastCode())).toMatchObject({ success: false, code: 'email_code_wrong' })
    await bench.ask('GET', `/api/verification?email=${EMAIL}&purpose=register`, { as: ann, headers: from() })
    const code = await lastCode()
    expect(await bindEmail(code)).toMatchObject({ code: 'email_code_wrong' })
    expect(await register(code)).toMatchObject({ success: true })
  })

  it('is sent with the same answer whether or not the address has an account', { tags: 'S31' }, async () => {
    await bench.database.kysely.updateTable('user').set({ email: EMAIL }).where('id', '=', root.id).execute()
    const [{ headers: _a, ...known }, { headers: _b, ...unknown }] = [await send(), await send('free@example.org')]
    expect(known).toEqual(unknown)
  })

  it(
    'floods no mailbox, however its address is written and wherever the requests come from',
    { tags: 'S28' },
    async () => {
      const statuses = []
      for (let i = 0; i < 7; i++) statuses.push((await send(i % 2 === 0 ? EMAIL : EMAIL.toUpperCase())).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
      expect(await bench.mails()).toHaveLength(5)
    },
  )

  it(
    'is sent at most twenty times in twenty minutes to one network, an IPv6 one as a whole',
    { tags: 'S28' },
    async () => {
      const statuses = []
      for (let i = 0; i < 22; i++)
        statuses.push((await send(`u${i}@example.org`, { 'x-test-address': `2001:db8:1:2::${i}` })).status)
      expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    },
  )

  it('is not sent at the request of another site', { tags: 'S34' }, async () => {
    const reply = await send(EMAIL, { ...from(), 'sec-fetch-site': 'cross-site' })
    expect(reply).toMatchObject({ status: 400, code: 'cross_site' })
    expect(await bench.mails()).toEqual([])
  })

  it('is stored sealed, and names no second recipient', { tags: 'S20' }, async () => {
    await send()
    const rows = await bench.database.kysely.selectFrom('email_code').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(await lastCode())
    expect(JSON.stringify(rows)).not.toContain(EMAIL)
    for (const email of ['a@b.org,c@d.org', 'a@b.org\r\nBcc: c@d.org', '"x" <a@b.org>', 'a@b.org c@d.org']) {
      expect(await send(email)).toMatchObject({ code: 'invalid_body' })
    }
    expect(await bench.mails()).toHaveLength(1)
  })
})
