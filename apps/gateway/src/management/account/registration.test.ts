// @module-tag slow
import { ROLE } from '@sluice/contract/capability'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

describe('signing up', () => {
  let bench: ManagementBench
  let root: TestCaller
  /** Every test has its own addresses, so that no throttle carries over to the next. */
  let host = 0
  beforeEach(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', ROLE.root)
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const set = async (options: Record<string, string | number | boolean>) => {
    for (const [key, value] of Object.entries(options)) {
      const reply = await bench.ask('PUT', '/api/option/', { as: root, body: { key, value } })
      expect([key, reply.message]).toEqual([key, ''])
    }
  }
  const mail = () => set({ SMTPServer: 'smtp.example.org', SMTPFrom: 'sluice@example.org' })
  const from = () => ({ 'x-test-address': `198.51.100.${(host += 1)}` })
  const register = (body: object) =>
    bench.ask('POST', '/api/user/register', {
      headers: from(),
      body: { username: 'ann', password: 'a good password', ...body },
    })
  const sendCode = (email: string) =>
    bench.ask('GET', `/api/verification?email=${encodeURIComponent(email)}`, { headers: from() })
  const lastCode = async () => /\b[2-9A-HJ-NP-Z]{6}\b/.exec((await bench.mails()).at(-1)?.text ?? '')?.[0] ?? ''
  const signIn = (username = 'ann', password = 'a good password') =>
    bench.ask('POST', '/api/user/login', { body: { username, password }, headers: from() })
  const userRow = () =>
    bench.database.kysely.selectFrom('user').selectAll().where('username', '=', 'ann').executeTakeFirst()
  const balance = async (id: number) =>
    (
      await bench.database.kysely
        .selectFrom('account')
        .select('posted')
        .where('kind', '=', 'user')
        .where('owner_id', '=', id)
        .executeTakeFirst()
    )?.posted
  it('opens an ordinary account that can sign in, with an unlimited token of its own', async () => {
    expect(await register({ email: '', aff_code: '' })).toMatchObject({ success: true, message: '' })
    expect(await signIn()).toMatchObject({ success: true, data: { display_name: 'ann', role: 1, status: 1 } })
    const as = (await signIn()).headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? ''
    expect(await bench.ask('GET', '/api/token/', { as })).toMatchObject({
      total: 1,
      data: [
        { name: 'default', unlimited_quota: true, expired_time: -1, status: 1, key: expect.stringMatching(/^sk-/) },
      ],
    })
  })

  it('names what is wrong with a form', async () => {
    for (const [body, message] of [
      [{ username: 'ab' }, 'username: Username must be at least 3 characters.'],
      [{ username: 'ann@example.org' }, 'username: Username must not contain @.'],
      [{ password: 'short' }, 'password: Password must be at least 8 characters.'],
      [{ password: 'x'.repeat(73) }, 'password: Password is limited to 72 bytes.'],
      [{ email: 'nonsense' }, 'email: Valid email is required.'],
      // The Kelvin sign lower-cases to k, so this would name another user's mailbox.
      [{ email: 'ann@\u212Abc.org' }, 'email: Valid email is required.'],
    ] as const) {
      expect(await register(body)).toMatchObject({ status: 200, success: false, code: 'invalid_body', message })
    }
    expect(await register({ username: 'root' })).toMatchObject({
      code: 'name_taken',
      message: 'Username already exists.',
    })
  })

  it('can be switched off, entirely or for passwords', async () => {
    await set({ PasswordRegisterEnabled: false })
    expect(await register({})).toMatchObject({ status: 200, success: false, code: 'password_registration_disabled' })
    await set({ RegisterEnabled: false })
    expect(await register({})).toMatchObject({ status: 200, success: false, code: 'registration_disabled' })
    expect(await userRow()).toBeUndefined()
  })

  it('stores an address only with its code, and asks for both where the setting says so', async () => {
    await mail()
    expect(await register({ username: 'bob', email: 'bob@example.org', verification_code: 'junk' })).toMatchObject({
      success: true,
    })
    const bob = await bench.database.kysely.selectFrom('user').select('email').where('username', '=', 'bob').execute()
    expect(bob).toEqual([{ email: '' }])

    await set({ EmailVerificationEnabled: true })
    const email = 'Ann@example.org'
    expect(await register({})).toMatchObject({ message: 'email: Valid email is required.' })
    expect(await register({ email })).toMatchObject({ message: 'verification_code: Verification code is required.' })
    expect(await sendCode(email)).toMatchObject({ success: true })
    const code = await lastCode()
    expect((await bench.mails()).at(-1)).toMatchObject({ to: email, kind: 'verification_code' })
    expect(await register({ email, verification_code: 'AAAAAA' })).toMatchObject({ code: 'email_code_wrong' })
    expect(await register({ email: 'eve@example.org', verification_code: code })).toMatchObject({
      code: 'email_code_wrong',
    })
    expect(await register({ email, verification_code: code.toLowerCase() })).toMatchObject({ success: true })
    expect((await userRow())?.email).toBe(email)
    const second = { username: 'ann2', email, verification_code: code }
    expect(await register(second)).toMatchObject({ code: 'email_code_wrong' })
  })

  it('takes no address that another account has, and tells only the reader of its mail', async () => {
    await mail()
    await set({ EmailVerificationEnabled: true })
    await bench.database.kysely.updateTable('user').set({ email: 'r@example.org' }).where('id', '=', root.id).execute()
    expect(await sendCode('R@example.org')).toMatchObject({ success: true })
    const body = { email: 'R@example.org', verification_code: await lastCode() }
    expect(await register(body)).toMatchObject({ success: false, code: 'email_taken' })
  })

  it('accepts only the domains of the list, while the setting says so', async () => {
    await mail()
    await set({ EmailDomainWhitelist: 'Example.org,corp.example', EmailDomainRestrictionEnabled: true })
    for (const email of ['a@evil.org', 'a@example.org.evil.org', 'a@sub.example.org', 'a@xexample.org']) {
      expect(await sendCode(email)).toMatchObject({ status: 200, success: false, code: 'email_domain_not_allowed' })
    }
    expect(await sendCode('a@EXAMPLE.org')).toMatchObject({ success: true })
    expect(await register({ email: 'a@evil.org', verification_code: 'AAAAAA' })).toMatchObject({
      code: 'email_domain_not_allowed',
    })
  })

  it('says that mail cannot be sent where no server is set up', async () => {
    expect(await sendCode('ann@example.org')).toMatchObject({ status: 200, code: 'mail_not_configured' })
  })

  it('turns no one away for an invitation that is unknown or whose giver is banned', async () => {
    await set({ QuotaForInvitee: 20, QuotaForInviter: 30 })
    const host = await bench.addCaller('host', ROLE.user)
    const { data: code } = await bench.ask<string>('GET', '/api/user/aff', { as: host })
    await bench.database.kysely.updateTable('user').set({ status: 2 }).where('id', '=', host.id).execute()
    expect(await register({ aff_code: code })).toMatchObject({ success: true })
    expect(await register({ username: 'bob', aff_code: 'nonsense' })).toMatchObject({ success: true })
    expect(await balance(host.id)).toBe(0n)
    expect((await userRow())?.inviter_id).toBe(0)
  })
})
