// @module-tag slow
import { createHash } from 'node:crypto'
import { ROLE } from '@sluice/contract/capability'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPasswords } from '../sessions/passwords.ts'
import { createPasswordReset } from './password-reset.ts'

describe('a forgotten password', () => {
  let bench: ManagementBench
  let root: TestCaller
  let ann: TestCaller
  let host = 0
  beforeEach(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', ROLE.root)
    ann = await bench.addCaller('ann', ROLE.user)
    await bench.database.kysely.updateTable('user').set({ email: 'ann@example.org' }).where('id', '=', ann.id).execute()
    await set({ SMTPServer: 'smtp.example.org', SMTPFrom: 'sluice@example.org', ServerAddress: 'https://our.example/' })
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const set = async (options: Record<string, string>) => {
    for (const [key, value] of Object.entries(options))
      await bench.ask('PUT', '/api/option/', { as: root, body: { key, value } })
  }
  const from = () => ({ 'x-test-address': `198.51.100.${(host += 1)}` })
  const ask = async (email: string, headers: Record<string, string> = from()) => {
    const reply = await bench.ask('GET', `/api/reset_password?email=${encodeURIComponent(email)}`, { headers })
    await bench.settleBackground()
    return reply
  }
  const complete = (body: object) => bench.ask<string>('POST', '/api/user/reset', { body, headers: from() })
  const links = async () =>
    (await bench.mails()).map(({ to, text }) => ({ to, link: new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? 'about:') }))
  const lastToken = async () => (await links()).at(-1)?.link.searchParams.get('token') ?? ''
  const signIn = (password: string) =>
    bench.ask('POST', '/api/user/login', { body: { username: 'ann', password }, headers: from() })

  it('is replaced through a mailed link, once', async () => {
    expect(await ask('ann@example.org')).toMatchObject({ success: true })
    const [mail] = await links()
    expect(mail?.to).toBe('ann@example.org')
    expect(mail?.link.origin + (mail?.link.pathname ?? '')).toBe('https://our.example/user/reset')
    expect(mail?.link.searchParams.get('email')).toBe('ann@example.org')
    const body = { email: 'ann@example.org', token: await lastToken(), password: 'a new password' }
    expect(await complete(body)).toMatchObject({ success: true, data: '' })
    expect(await signIn('a new password')).toMatchObject({ success: true })
    expect(await complete(body)).toMatchObject({ status: 200, success: false, code: 'reset_link_invalid' })
  })

  it('is made up and returned where none is given', async () => {
    await ask('ann@example.org')
    const { data: password = '' } = await complete({ email: 'ann@example.org', token: await lastToken() })
    expect(password).toMatch(/^[\w-]{16}$/)
    expect(await signIn(password)).toMatchObject({ success: true })
  })

  it('ends every session and the access token', async () => {
    const { data: accessToken = '' } = await bench.ask<string>('GET', '/api/user/token', { as: ann })
    await ask('ann@example.org')
    await complete({ email: 'ann@example.org', token: await lastToken(), password: 'a new password' })
    expect((await bench.ask('GET', '/api/user/self', { as: ann })).status).toBe(401)
    expect((await bench.ask('GET', '/api/user/self', { headers: { authorization: accessToken } })).status).toBe(401)
  })

  it('is requested with the same answer for a known, an unknown and a banned address', { tags: 'S31' }, async () => {
    const bob = await bench.addCaller('bob', ROLE.user)
    await bench.database.kysely
      .updateTable('user')
      .set({ email: 'bob@example.org', status: 2 })
      .where('id', '=', bob.id)
      .execute()
    const replies = []
    for (const email of ['ann@example.org', 'nobody@example.org', 'bob@example.org']) {
      const { headers, ...reply } = await ask(email)
      replies.push({ ...reply, names: [...headers.keys()] })
    }
    expect(replies[1]).toEqual(replies[0])
    expect(replies[2]).toEqual(replies[0])
    expect((await links()).map(({ to }) => to)).toEqual(['ann@example.org'])
  })

  it('is looked up only after the answer, so that the time reveals nothing', { tags: 'S31' }, async () => {
    const later: ((signal: AbortSignal) => Promise<void>)[] = []
    const reset = createPasswordReset(
      { ...bench.deps, inBackground: (work) => void later.push(work) },
      createPasswords(bench.deps.randomBytes),
    )
    expect(reset.request('ann@example.org')).toBeUndefined()
    expect(reset.request('nobody@example.org')).toBeUndefined()
    expect(await links()).toEqual([])
    for (const work of later) await work(new AbortController().signal)
    expect(await links()).toHaveLength(1)
  })

  it('has a limited number of requests at work and refuses the next', { tags: 'S28' }, () => {
    const reset = createPasswordReset(
      { ...bench.deps, inBackground: () => {} },
      createPasswords(bench.deps.randomBytes),
    )
    const answers = Array.from({ length: 102 }, (_, i) => reset.request(`user${i}@example.org`)?.code)
    expect(answers.filter((code) => code === 'overloaded')).toHaveLength(2)
  })

  it('is throttled alike for known and unknown addresses, per mailbox and per network', { tags: 'S31' }, async () => {
    for (const email of ['ann@example.org', 'nobody@example.org']) {
      const statuses = []
      for (let i = 0; i < 7; i++) statuses.push((await ask(i % 2 === 0 ? email : email.toUpperCase())).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    }
    const one = from()
    const statuses = []
    for (let i = 0; i < 22; i++) statuses.push((await ask(`user${i}@example.org`, one)).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })

  it('goes to the configured name and the stored address, whatever the request says about itself', async () => {
    await ask('ANN@example.org', {
      ...from(),
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    })
    const [mail] = await links()
    expect([mail?.to, mail?.link.host]).toEqual(['ann@example.org', 'our.example'])
  })

  it('is not set by a link that is late, guessed, another user’s, or replaced by a newer one', async () => {
    await ask('ann@example.org')
    const first = await lastToken()
    await ask('ann@example.org')
    const second = await lastToken()
    const body = { email: 'ann@example.org', password: 'a new password' }
    const invalid = { status: 200, success: false, code: 'reset_link_invalid' }
    expect(await complete({ ...body, token: first })).toMatchObject(invalid)
    expect(await complete({ ...body, token: 'A'.repeat(43) })).toMatchObject(invalid)
    bench.clock.now += 10 * 60_000
    expect(await complete({ ...body, token: second })).toMatchObject(invalid)
    await ask('ann@example.org')
    expect(await complete({ ...body, email: 'root@example.org', token: await lastToken() })).toMatchObject(invalid)
    expect(await complete({ ...body, token: 'x', password: 'short' })).toMatchObject({ code: 'invalid_body' })
  })

  it('keeps the second step', async () => {
    await bench.database.kysely
      .updateTable('user')
      .set({ totp_sealed: bench.vault.seal('totp', 'A'.repeat(32)) })
      .where('id', '=', ann.id)
      .execute()
    await ask('ann@example.org')
    await complete({ email: 'ann@example.org', token: await lastToken(), password: 'a new password' })
    expect(await signIn('a new password')).toMatchObject({ success: false, code: 'totp_required' })
  })

  it('is stored as a digest, and the digest is not a link', { tags: 'S9' }, async () => {
    await ask('ann@example.org')
    const rows = await bench.database.kysely.selectFrom('password_reset').selectAll().execute()
    const token = await lastToken()
    const stored = createHash('sha256').update(token).digest('hex')
    expect(rows).toMatchObject([{ user_id: ann.id, token_hash: stored }])
    expect(await complete({ email: 'ann@example.org', token: stored, password: 'a new password' })).toMatchObject({
      code: 'reset_link_invalid',
    })
  })

  it('gives each account that shares an address a link of its own, with its name', async () => {
    const twin = await bench.addCaller('twin', ROLE.user)
    await bench.database.kysely
      .updateTable('user')
      .set({ email: 'ann@example.org' })
      .where('id', '=', twin.id)
      .execute()
    await ask('ann@example.org')
    const mails = await bench.mails()
    expect(mails.map(({ text }) => /for the account (\w+)/.exec(text)?.[1])).toEqual(['ann', 'twin'])
    await complete({ email: 'ann@example.org', token: await lastToken(), password: 'a new password' })
    expect(await signIn('a new password')).toMatchObject({ code: 'bad_credentials' })
  })
})
