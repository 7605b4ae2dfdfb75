// @module-tag slow
import { ROLE } from '@sluice/contract/capability'
import {
  type ManagementBench,
  openManagementBench,
  type Reply,
  type TestCaller,
} from '@sluice/testkit/management-bench'
import {
  type CeremonyOptions,
  cborBytes,
  cborMap,
  cborText,
  createSoftwareAuthenticator,
  type Lies,
  type SoftwareAuthenticator,
} from '@sluice/testkit/software-authenticator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const ORIGIN = 'https://our.example'

describe('passkeys', () => {
  let bench: ManagementBench
  let root: TestCaller
  let ann: TestCaller
  let device: SoftwareAuthenticator
  let host = 0
  beforeEach(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', ROLE.root)
    ann = await bench.addCaller('ann', ROLE.user)
    device = createSoftwareAuthenticator(ORIGIN)
    await setAddress(`${ORIGIN}/`)
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const setPassword = (password_hash: string) =>
    bench.database.kysely.updateTable('user').set({ password_hash }).where('id', '=', ann.id).execute()
  const setAddress = (value: string) =>
    bench.ask('PUT', '/api/option/', { as: root, body: { key: 'ServerAddress', value } })
  const from = () => ({ 'x-test-address': `198.51.${Math.floor(host / 200)}.${(host += 1) % 200}` })
  const cookieOf = (reply: Reply<unknown>, name: string): string =>
    reply.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith(`${name}=`))
      ?.replace(/;.*$/, '') ?? ''
  const begin = async (as: TestCaller = ann): Promise<CeremonyOptions> => {
    const reply = await bench.ask<CeremonyOptions>('POST', '/api/user/passkey/register/begin', { as })
    if (reply.data === undefined) throw new Error(reply.message)
    return reply.data
  }
  const finish = (credential: unknown, as: TestCaller = ann, name?: string) =>
    bench.ask('POST', '/api/user/passkey/register/finish', { as, body: { credential, credential_name: name } })
  /** Registers the device and continues with the renewed session. */
  const register = async (name?: string) => {
    const reply = await finish(device.create(await begin()), ann, name)
    expect(reply).toMatchObject({ success: true })
    ann = { ...ann, cookie: cookieOf(reply, 'session') }
  }
  const beginLogin = async () => {
    const reply = await bench.ask<CeremonyOptions>('POST', '/api/user/passkey/login/begin', { headers: from() })
    if (reply.data === undefined) throw new Error(reply.message)
    return { options: reply.data, cookie: cookieOf(reply, 'passkey_login'), headers: reply.headers }
  }
  const finishLogin = (cookie: string, credential: unknown) =>
    bench.ask('POST', '/api/user/passkey/login/finish', { headers: { ...from(), cookie }, body: { credential } })
  const login = async (lies?: Lies, by: SoftwareAuthenticator = device) => {
    const { options, cookie } = await beginLogin()
    return await finishLogin(cookie, by.get(options, lies))
  }
  const list = async (as: TestCaller = ann) =>
    (await bench.ask<{ id: number; credential_name: string; sign_count: number }[]>('GET', '/api/user/passkey', { as }))
      .data ?? []

  it('are registered by a device and sign their user in, past the password and the TOTP code', async () => {
    const options = await begin()
    expect(options.publicKey).toMatchObject({
      rp: { id: 'our.example', name: 'Sluice' },
      user: { name: 'ann' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    await register('phone')
    expect(await list()).toMatchObject([{ credential_name: 'phone', sign_count: 1, last_used_at: 0 }])
    await bench.database.kysely.updateTable('user').set({ totp_sealed: 'on' }).where('id', '=', ann.id).execute()
    bench.clock.now += 60_000
    const reply = await login()
    expect(reply).toMatchObject({ success: true, data: { id: ann.id, username: 'ann', role: 1 } })
    const self = await bench.ask('GET', '/api/user/self', { as: cookieOf(reply, 'session') })
    expect(self).toMatchObject({ data: { username: 'ann' } })
    expect(await list()).toMatchObject([{ sign_count: 2, last_used_at: Math.floor(bench.clock.now / 1_000) }])
  })

  it('of phones, which do not count, work again and again', async () => {
    device = createSoftwareAuthenticator(ORIGIN, { counts: false })
    await register()
    for (let i = 0; i < 3; i++) expect(await login()).toMatchObject({ success: true })
  })

  it('are named, renamed and removed by their owner; every other session ends with the removal', async () => {
    await register()
    const [passkey] = await list()
    expect(passkey?.credential_name).toBe('Passkey')
    const path = `/api/user/passkey/${passkey?.id ?? 0}`
    expect(await bench.ask('PUT', path, { as: ann, body: { credential_name: ' laptop ' } })).toMatchObject({
      success: true,
    })
    expect(await list()).toMatchObject([{ credential_name: 'laptop' }])
    expect(await bench.ask('PUT', path, { as: ann, body: { credential_name: 'x'.repeat(129) } })).toMatchObject({
      code: 'invalid_body',
    })
    const elsewhere = cookieOf(await login(), 'session')
    await setPassword('hash')
    const removed = await bench.ask('DELETE', path, { as: ann })
    expect(removed).toMatchObject({ success: true })
    expect((await bench.ask('GET', '/api/user/self', { as: elsewhere })).status).toBe(401)
    expect((await bench.ask('GET', '/api/user/self', { as: cookieOf(removed, 'session') })).status).toBe(200)
    expect(await login()).toMatchObject({ success: false, code: 'passkey_refused' })
  })

  it('of another user do not exist', { tags: 'S11' }, async () => {
    await register()
    const [passkey] = await list()
    const path = `/api/user/passkey/${passkey?.id ?? 0}`
    expect(await list(root)).toEqual([])
    expect(await bench.ask('PUT', path, { as: root, body: { credential_name: 'mine' } })).toMatchObject({
      code: 'not_found',
    })
    expect(await bench.ask('DELETE', path, { as: root })).toMatchObject({ code: 'not_found' })
    expect(await list()).toMatchObject([{ credential_name: 'Passkey' }])
  })

  it.each<[string, Lies]>([
    ['another page', { origin: 'https://evil.example' }],
    ['a page on another port', { origin: 'https://our.example:8443' }],
    ['the same name without https', { origin: 'http://our.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['the other kind of ceremony', { type: 'webauthn.other' }],
    ['a device that did not check its person', { unverified: true }],
  ])('an answer from %s is refused, at registration and at sign-in', { tags: 'S13' }, async (_what, lies) => {
    expect(await finish(device.create(await begin(), lies))).toMatchObject({
      status: 200,
      success: false,
      code: 'passkey_refused',
    })
    expect(await list()).toEqual([])
    await register()
    const reply = await login(lies)
    expect(reply).toMatchObject({ status: 200, success: false, code: 'passkey_refused' })
    expect(cookieOf(reply, 'session')).toBe('')
  })

  it('a wrong signature, a foreign user handle and a counter that does not advance are refused', async () => {
    await register()
    const other = createSoftwareAuthenticator(ORIGIN)
    for (const lies of [{ badSignature: true }, { userHandle: 'c29tZWJvZHk' }, { signCount: 1 }, { signCount: 0 }]) {
      expect([lies, (await login(lies)).code]).toEqual([lies, 'passkey_refused'])
    }
    expect(await login({}, other)).toMatchObject({ code: 'passkey_refused' })
    expect(await login({ signCount: 50 })).toMatchObject({ success: true })
    expect(await login({ signCount: 50 })).toMatchObject({ code: 'passkey_refused' })
  })

  it('a challenge can be answered once, in time, by its requester', { tags: 'S13' }, async () => {
    const options = await begin()
    const credential = device.create(options)
    expect(await finish(credential, root)).toMatchObject({ code: 'passkey_not_begun' })
    bench.clock.now += 300_000
    expect(await finish(credential)).toMatchObject({ code: 'passkey_not_begun' })
    await register()
    expect(await finish(device.create(options))).toMatchObject({ code: 'passkey_not_begun' })

    const { options: ask, cookie } = await beginLogin()
    const proof = device.get(ask)
    expect(await finishLogin('', proof)).toMatchObject({ code: 'passkey_not_begun' })
    expect(await finishLogin(`passkey_login=${'A'.repeat(43)}`, proof)).toMatchObject({ code: 'passkey_not_begun' })
    // The challenge of a second browser cannot be answered with the first one's data.
    const second = await beginLogin()
    expect(await finishLogin(second.cookie, proof)).toMatchObject({ code: 'passkey_refused' })
    expect(await finishLogin(cookie, proof)).toMatchObject({ success: true })
    expect(await finishLogin(cookie, proof)).toMatchObject({ code: 'passkey_not_begun' })
    const late = await beginLogin()
    bench.clock.now += 300_000
    expect(await finishLogin(late.cookie, device.get(late.options))).toMatchObject({ code: 'passkey_not_begun' })
  })

  it(
    'a challenge for signing in registers nothing, and one for registering signs no one in',
    { tags: 'S13' },
    async () => {
      const { options, cookie } = await beginLogin()
      await begin()
      expect(await finish(device.create(options))).toMatchObject({ code: 'passkey_refused' })
      await register()
      const proof = device.get(await begin())
      expect(await finishLogin('', proof)).toMatchObject({ code: 'passkey_not_begun' })
      expect(await finishLogin(ann.cookie, proof)).toMatchObject({ code: 'passkey_not_begun' })
      expect(await finishLogin(cookie, proof)).toMatchObject({ code: 'passkey_refused' })
    },
  )

  it('the id of another user’s credential opens nothing without its key', { tags: 'S11' }, async () => {
    await register()
    const theirs = (await bench.database.kysely.selectFrom('passkey').select('credential_id').executeTakeFirstOrThrow())
      .credential_id
    const own = createSoftwareAuthenticator(ORIGIN)
    expect(await finish(own.create(await begin(root)), root)).toMatchObject({ success: true })
    // With its own user handle, and without one, as from a device that was given the id of that credential.
    for (const lies of [{ id: theirs }, { id: theirs, userHandle: '' }]) {
      expect(await login(lies, own)).toMatchObject({ code: 'passkey_refused' })
    }
    const { options, cookie } = await beginLogin()
    const unnamed = own.get(options, { id: theirs })
    const proof = { ...unnamed, response: { ...unnamed.response, userHandle: null } }
    expect(await finishLogin(cookie, proof)).toMatchObject({ code: 'passkey_refused' })
    expect(await login({}, own)).toMatchObject({ data: { id: root.id } })
  })

  it('flags that no device may set are refused', async () => {
    const ALL_BUT_PRESENT = 0x44
    const STORED_ELSEWHERE_BUT_MAY_NOT_BE = 0x55
    for (const flags of [ALL_BUT_PRESENT, STORED_ELSEWHERE_BUT_MAY_NOT_BE]) {
      expect(await finish(device.create(await begin(), { flags }))).toMatchObject({ code: 'passkey_refused' })
    }
    await register()
    for (const flags of [ALL_BUT_PRESENT & ~0x40, STORED_ELSEWHERE_BUT_MAY_NOT_BE & ~0x40]) {
      expect(await login({ flags })).toMatchObject({ code: 'passkey_refused' })
    }
  })

  it(
    'what a device says about its maker is not read, nor are the addresses in its certificates',
    { tags: 'S3' },
    async () => {
      const statement = cborMap([
        [cborText('ver'), cborText('1')],
        [cborText('response'), cborBytes(Buffer.from('no.token'))],
      ])
      const attestation = { fmt: 'android-safetynet', statement }
      expect(await finish(device.create(await begin(), { attestation }))).toMatchObject({ success: true })
      expect(await login()).toMatchObject({ success: true })
    },
  )

  it(
    'a name longer than any device gives, and endless or deep structures, are refused without a fault',
    { tags: 'S27' },
    async () => {
      const longest = createSoftwareAuthenticator(ORIGIN, { idBytes: 1_023 })
      expect(await finish(longest.create(await begin()))).toMatchObject({ success: true })
      const other = device.create(await begin(root), { id: 'AAAA' })
      expect(await finish(other, root)).toMatchObject({ code: 'passkey_refused' })
      for (const idBytes of [1_024, 20_000]) {
        const longer = createSoftwareAuthenticator(ORIGIN, { idBytes })
        expect([idBytes, (await finish(longer.create(await begin(root)), root)).code]).toEqual([
          idBytes,
          'passkey_refused',
        ])
      }
      const WITH_EXTENSIONS = 0xc5
      const deep = Buffer.alloc(20_000, 0x81)
      const endless = Buffer.from('9bffffffffffffffff', 'hex')
      for (const odd of [deep, endless, Buffer.of(0x5b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff)]) {
        for (const lies of [
          { attestation: { fmt: 'none', statement: odd } },
          { flags: WITH_EXTENSIONS, extensions: odd },
          { extensions: odd },
        ]) {
          expect((await finish(device.create(await begin(root), lies), root)).code).toBe('passkey_refused')
        }
      }
      expect(await list(root)).toEqual([])
    },
  )

  it('a registration that answers twice at once is stored once, and a credential belongs to one account', async () => {
    const credential = device.create(await begin())
    const both = await Promise.all([finish(credential), finish(credential)])
    expect(both.filter((reply) => reply.success)).toHaveLength(1)
    const replay = device.create(await begin(root))
    expect(await finish(replay, root)).toMatchObject({ code: 'passkey_refused' })
  })

  it(
    'the options of a sign-in name no credentials, and unknown ones are refused like wrong ones',
    { tags: 'S31' },
    async () => {
      await register()
      const { options, headers } = await beginLogin()
      expect(options.publicKey['allowCredentials'] ?? []).toEqual([])
      expect(headers.getSetCookie()[0]).toMatch(
        /^passkey_login=[\w-]{43}; Max-Age=300; Path=\/api\/user\/passkey\/login; HttpOnly; SameSite=Strict$/,
      )
      const unknown = await login({}, createSoftwareAuthenticator(ORIGIN))
      const wrong = await login({ badSignature: true })
      expect([unknown.status, unknown.code, unknown.message]).toEqual([wrong.status, wrong.code, wrong.message])
    },
  )

  it('cannot be removed while nothing else signs in', async () => {
    await register()
    const { data } = await bench.ask<readonly { id: number }[]>('GET', '/api/user/passkey', { as: ann })
    const remove = () => bench.ask('DELETE', `/api/user/passkey/${data?.[0]?.id}`, { as: ann })
    await setPassword('')
    expect(await remove()).toMatchObject({ success: false, code: 'last_sign_in' })
    await setPassword('hash')
    expect(await remove()).toMatchObject({ success: true })
  })

  it('that are removed between challenge and answer, or of a banned or deleted user, open nothing', async () => {
    await register()
    const { options, cookie } = await beginLogin()
    const [passkey] = await list()
    await setPassword('hash')
    const removed = await bench.ask('DELETE', `/api/user/passkey/${passkey?.id}`, { as: ann })
    ann = { ...ann, cookie: cookieOf(removed, 'session') }
    expect(await finishLogin(cookie, device.get(options))).toMatchObject({ code: 'passkey_refused' })
    await register()
    await bench.database.kysely.updateTable('user').set({ status: 2 }).where('id', '=', ann.id).execute()
    expect(await login()).toMatchObject({ code: 'passkey_refused' })
    await bench.database.kysely.updateTable('user').set({ status: 1 }).where('id', '=', ann.id).execute()
    expect(await bench.ask('DELETE', '/api/user/self', { as: ann })).toMatchObject({ success: true })
    expect(await login()).toMatchObject({ code: 'passkey_refused' })
  })

  it('need an address with a name, over https unless it is this machine', async () => {
    for (const address of ['http://our.example', 'https://192.0.2.7', 'https://[2001:db8::1]']) {
      await setAddress(address)
      expect(await bench.ask('POST', '/api/user/passkey/register/begin', { as: ann })).toMatchObject({
        status: 200,
        code: 'passkeys_unavailable',
      })
      expect(await bench.ask('POST', '/api/user/passkey/login/begin', { headers: from() })).toMatchObject({
        code: 'passkeys_unavailable',
      })
    }
    await setAddress('http://localhost:3000')
    device = createSoftwareAuthenticator('http://localhost:3000')
    await register()
    expect(await login()).toMatchObject({ success: true })
  })

  it('nonsense is refused by its shape, and noise in the right shape without a fault', async () => {
    expect(await finish({ id: 'x' })).toMatchObject({ code: 'invalid_body' })
    const credential = device.create(await begin())
    const noise = { ...credential.response, attestationObject: 'AAAA', clientDataJSON: 'AAAA' }
    expect(await finish({ ...credential, response: noise })).toMatchObject({ code: 'passkey_refused' })
    await register()
    const { options, cookie } = await beginLogin()
    const proof = device.get(options)
    const broken = { ...proof, response: { ...proof.response, authenticatorData: 'AAAA', signature: 'AA' } }
    expect(await finishLogin(cookie, broken)).toMatchObject({ code: 'passkey_refused' })
  })
})
