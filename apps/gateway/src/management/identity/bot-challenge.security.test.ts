// @module-tag slow
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { ROLE } from '@sluice/contract/capability'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const PASSWORD = 'a good password'

/** An answer works once: https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
class Verifier {
  readonly requested: { readonly type: string | undefined; readonly form: Readonly<Record<string, string>> }[] = []
  answer: (form: Readonly<Record<string, string>>) => string | undefined = (form) => this.cloudflare(form)
  status = 200
  readonly #used = new Set<string>()
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response))

  async listen(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/turnstile/v0/siteverify`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  cloudflare({ secret, response = '' }: Readonly<Record<string, string>>): string {
    const fail = (code: string): string => JSON.stringify({ success: false, 'error-codes': [code] })
    if (secret !== 'the-secret') return fail('invalid-input-secret')
    if (!response.startsWith('solved') || this.#used.has(response)) return fail('timeout-or-duplicate')
    this.#used.add(response)
    return JSON.stringify({ success: true, hostname: 'our.example', 'error-codes': [] })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    this.requested.push({ type: request.headers['content-type'], form })
    const body = this.answer(form)
    if (body === undefined) response.destroy()
    else response.writeHead(this.status, { 'content-type': 'application/json' }).end(body)
  }
}

describe('the bot challenge', () => {
  let bench: ManagementBench
  let root: TestCaller
  let verifier: Verifier
  let host = 0
  beforeEach(async () => {
    bench = await openManagementBench()
    verifier = new Verifier()
    bench.turnstileAddress = await verifier.listen()
    root = await bench.addCaller('root', ROLE.root)
    await set({
      SMTPServer: 'smtp.example.org',
      SMTPFrom: 'sluice@example.org',
      ServerAddress: 'https://our.example',
      TurnstileSiteKey: 'site-key',
      TurnstileSecretKey: 'the-secret',
      TurnstileCheckEnabled: true,
    })
    await bench.ask('POST', '/api/user/', { as: root, body: { username: 'ann', password: PASSWORD } })
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
    await verifier.close()
  })

  const set = async (options: Record<string, string | boolean>) => {
    for (const [key, value] of Object.entries(options))
      await bench.ask('PUT', '/api/option/', { as: root, body: { key, value } })
  }
  const from = () => ({ 'x-test-address': `198.51.100.${(host += 1)}` })
  const query = (turnstile: string) => (turnstile === '' ? '' : `turnstile=${turnstile}`)
  const signIn = (turnstile: string, body: object = {}, headers: Record<string, string> = from()) =>
    bench.ask('POST', `/api/user/login?${query(turnstile)}`, {
      headers,
      body: { username: 'ann', password: PASSWORD, ...body },
    })
  const register = (turnstile: string) =>
    bench.ask('POST', `/api/user/register?${query(turnstile)}`, {
      headers: from(),
      body: { username: 'bob', password: PASSWORD },
    })
  const sendCode = (turnstile: string) =>
    bench.ask('GET', `/api/verification?email=ann@example.org&${query(turnstile)}`, { headers: from() })

  it.each([
    ['signing in', (turnstile: string) => signIn(turnstile)],
    ['signing up', (turnstile: string) => register(turnstile)],
    ['asking for a code', (turnstile: string) => sendCode(turnstile)],
  ])('is demanded for %s, and every answer works once', async (_what, ask) => {
    expect(await ask('')).toMatchObject({
      status: 200,
      success: false,
      code: 'challenge_required',
      data: { turnstile_required: true },
    })
    expect(await ask('guessed')).toMatchObject({ status: 200, success: false, code: 'challenge_failed' })
    expect(await ask('solved-1')).toMatchObject({ success: true })
    expect(await ask('solved-1')).toMatchObject({ success: false, code: 'challenge_failed' })
  })

  it('is not demanded of a signed-in user who has an address to prove', async () => {
    const path = '/api/verification?email=ann@example.org'
    expect(await bench.ask('GET', path, { as: root, headers: from() })).toMatchObject({ success: true })
    expect(verifier.requested).toEqual([])
    expect(await bench.mails()).toMatchObject([{ kind: 'verification_code', to: 'ann@example.org' }])
  })

  it(
    'does not let an account that was signed in once send mail without end, wherever it calls from',
    { tags: ['S16', 'S28'] },
    async () => {
      const send = (to: number) =>
        bench.ask('GET', `/api/verification?email=stranger-${to}@example.org`, { as: root, headers: from() })
      const replies = []
      // oxlint-disable-next-line no-await-in-loop -- they are counted one after the other
      for (let to = 0; to < 11; to++) replies.push(await send(to))
      expect(replies.map(({ success }) => success)).toEqual([...Array.from({ length: 10 }, () => true), false])
      expect(replies.at(-1)).toMatchObject({ code: 'login_throttled' })
    },
  )

  it('is sent to the verifier with the secret and the address of the visitor, as a form', async () => {
    await signIn('solved-1', {}, { 'x-test-address': '203.0.113.5' })
    expect(verifier.requested).toEqual([
      {
        type: 'application/x-www-form-urlencoded',
        form: { secret: 'the-secret', response: 'solved-1', remoteip: '203.0.113.5' },
      },
    ])
  })

  it('is checked before the password, and says nothing about it', async () => {
    const wrong = await signIn('', { password: 'wrong' })
    expect(wrong).toMatchObject({ code: 'challenge_required' })
    expect(await signIn('', { username: 'nobody' })).toMatchObject({ code: 'challenge_required' })
  })

  it(
    'lets no one through when the verifier cannot be reached, answers nonsense, or does not know the secret',
    { tags: 'S16' },
    async () => {
      const unavailable = { status: 200, success: false, code: 'challenge_unavailable' }
      verifier.answer = () => undefined
      expect(await signIn('solved-1')).toMatchObject(unavailable)
      for (const nonsense of ['', 'true', '{}', '{"success":"true"}', '[]', '<html>', 'x'.repeat(20_000)]) {
        verifier.answer = () => nonsense
        expect([nonsense.slice(0, 9), await signIn('solved-1')]).toMatchObject([nonsense.slice(0, 9), unavailable])
      }
      verifier.answer = (form) => verifier.cloudflare(form)
      await set({ TurnstileSecretKey: 'another' })
      expect(await signIn('solved-1')).toMatchObject(unavailable)
      bench.turnstileAddress = 'http://127.0.0.1:9/'
      expect(await signIn('solved-1')).toMatchObject(unavailable)
    },
  )

  it('an answer given on another site’s page is refused', { tags: 'S13' }, async () => {
    verifier.answer = () => JSON.stringify({ success: true, hostname: 'evil.example' })
    expect(await signIn('solved-1')).toMatchObject({ code: 'challenge_failed' })
  })

  it(
    'also covers the second step of the same sign-in, for five minutes, and for no one else',
    { tags: 'S13' },
    async () => {
      const secret = 'A'.repeat(32)
      await bench.database.kysely
        .updateTable('user')
        .set({ totp_sealed: bench.vault.seal('totp', secret) })
        .where('username', '=', 'ann')
        .execute()
      const here = from()
      const code = () => new TOTP({ secret }).generate({ timestamp: bench.clock.now })
      expect(await signIn('solved-1', {}, here)).toMatchObject({ code: 'totp_required' })
      expect(await signIn('solved-1', {}, from())).toMatchObject({ code: 'challenge_failed' })
      expect(await signIn('solved-1', { username: 'root' }, here)).toMatchObject({ code: 'challenge_failed' })
      expect(await signIn('solved-1', { totp_code: code() }, here)).toMatchObject({ success: true })
      expect(verifier.requested).toHaveLength(3)
      bench.clock.now += 300_000
      expect(await signIn('solved-1', { totp_code: code() }, here)).toMatchObject({ code: 'challenge_failed' })
      // Setting a clock back gives no one more time (class S45).
      bench.clock.now -= 86_400_000
      expect(await signIn('solved-1', { totp_code: code() }, here)).toMatchObject({ code: 'challenge_failed' })
    },
  )

  it('is not demanded where it is off, nor of a person at this machine, who might have to fix it', async () => {
    expect(await signIn('', {}, {})).toMatchObject({ success: true })
    expect(await signIn('', {}, { 'x-forwarded-for': '203.0.113.5' })).toMatchObject({ code: 'challenge_required' })
    await set({ TurnstileCheckEnabled: false })
    expect(await signIn('')).toMatchObject({ success: true })
    expect(await register('')).toMatchObject({ success: true })
    expect(verifier.requested).toEqual([])
  })
})
