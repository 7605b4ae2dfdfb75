// @module-tag slow
import { setOption } from '@sluice/store/queries/options'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { OIDC_CLIENT, type OidcProvider, startOidcProvider } from '@sluice/testkit/servers/oidc-provider'
import { openTestBrowser } from '@sluice/testkit/test-browser'
import { type CryptoKey, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FetchGuarded } from '../../outbound/guarded-fetch.ts'
import { discover } from '../../sign-in-providers/oidc.ts'

/** Sign-in with a provider that lies, is compromised, or lets its users write what it vouches for. */
let bench: ManagementBench
let provider: OidcProvider
const ownAnswers = { hostile: undefined, forge: undefined, outage: undefined, userinfoSubject: undefined }
beforeAll(async () => {
  provider = await startOidcProvider()
  bench = await openManagementBench()
  bench.clock.now = Date.now()
  await setOption(bench.database.kysely, 'OidcClientSecret', bench.vault.seal('option', OIDC_CLIENT.secret))
})
afterAll(async () => {
  // Whatever a provider says leads to a refusal, never to an internal failure.
  expect(bench.reported).toEqual([])
  await bench.close()
  await provider.close()
})
beforeEach(async () => {
  Object.assign(provider, ownAnswers, { person: { sub: 'person-1' }, tamper: (claims: JWTPayload) => claims })
  await set({ OidcEnabled: 'true', OidcClientId: OIDC_CLIENT.id, OidcWellKnown: newlyWritten() })
})

let written = 0
/** Discovery is cached by the address as written, so each spelling is fetched again. */
const newlyWritten = () => `${provider.url}${'/'.repeat(written++)}`

async function set(options: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(options)) await setOption(bench.database.kysely, key as 'Notice', value)
  await bench.deps.versions.check()
}
const byHand = () =>
  set({
    OidcWellKnown: '',
    OidcAuthorizationEndpoint: `${provider.url}/authorize`,
    OidcTokenEndpoint: `${provider.url}/token`,
    OidcUserinfoEndpoint: `${provider.url}/userinfo`,
  })

let networks = 0
/** From a separate network, because one that keeps failing is slowed down. */
async function signIn() {
  const browser = openTestBrowser(bench)
  const headers = { 'x-test-address': `198.51.100.${(networks += 1)}` }
  const begun = await browser.ask('GET', '/api/oauth/state?provider=oidc', { headers })
  const { authorization_url: url = '' } = begun as { authorization_url?: string }
  if (url === '') return { ...begun, data: undefined }
  const page = await fetch(url, { redirect: 'manual' })
  const { search } = new URL(page.headers.get('location') ?? '')
  return await browser.ask<{ id: number }>('GET', `/api/oauth/oidc${search}`, { headers })
}
const lastUser = () =>
  bench.database.kysely
    .selectFrom('user')
    .select(['id', 'username', 'email', 'display_name'])
    .orderBy('id', 'desc')
    .executeTakeFirst()

async function expectNobody(): Promise<void> {
  const before = await lastUser()
  const reply = await signIn()
  expect(reply).toMatchObject({ success: false, code: 'provider_failed', status: 200 })
  expect(JSON.stringify(reply)).not.toMatch(/canary|<|alert/)
  expect(await lastUser()).toEqual(before)
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('an ID token', { tags: 'S16' }, () => {
  test.each<[string, NonNullable<OidcProvider['forge']>]>([
    ['without a signature', (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`],
    [
      'signed with the public key as a secret',
      (claims, _, published) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
          .sign(Buffer.from(JSON.stringify(published))),
    ],
    [
      'signed with the client’s secret',
      (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(OIDC_CLIENT.secret.padEnd(32, ' '))),
    ],
    ['of a key that is not there', (claims, key) => signed(claims, key, { alg: 'RS256', kid: 'key-2' })],
    [
      'of another algorithm than is published',
      async (claims, key) => {
        const token = await signed(claims, key, { alg: 'RS256', kid: 'key-1' })
        return [encode({ alg: 'RS384', kid: 'key-1' }), ...token.split('.').slice(1)].join('.')
      },
    ],
    [
      'that demands what nobody knows',
      (claims, key) => signed(claims, key, { alg: 'RS256', kid: 'key-1', crit: ['b64'], b64: true }),
    ],
    ['that is no token', () => 'canary <script>alert(1)</script>'],
    ['that is not a token at all', () => ''],
    ['with a payload that is not an object', (_, key) => key.type + '.WzFd.AA'],
    [
      'changed after it was signed',
      async (claims, key) => {
        const [head, , signature] = (await signed(claims, key, { alg: 'RS256', kid: 'key-1' })).split('.')
        return [head, encode({ ...claims, sub: 'somebody-else' }), signature].join('.')
      },
    ],
  ])('%s lets no one in, whatever the discovery document permits', async (_, forge) => {
    provider.forge = forge
    provider.hostile = ({ path }) =>
      path.endsWith('openid-configuration')
        ? { body: { ...document(), id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256', 'RS384'] } }
        : undefined
    await expectNobody()
  })

  test.each([
    ['for several clients, issued to another', { aud: [OIDC_CLIENT.id, 'other'], azp: 'other' }],
    ['for several clients, issued to nobody', { aud: [OIDC_CLIENT.id, 'other'] }],
    ['of the future', { iat: 4_000_000_000 }],
    ['not good before the future', { nbf: 4_000_000_000 }],
    ['that never ends', { exp: 'never' }],
    ['of an odd audience', { aud: { 0: OIDC_CLIENT.id } }],
    ['without a nonce', { nonce: undefined }],
  ])('%s lets no one in when the endpoints are typed in either', async (_, change) => {
    await byHand()
    provider.tamper = (claims) => ({ ...claims, ...change }) as JWTPayload
    await expectNobody()
  })
})

const signed = (claims: JWTPayload, key: CryptoKey, header: JWTHeaderParameters) =>
  new SignJWT(claims).setProtectedHeader(header).sign(key, { crit: { b64: true } })

const document = () => ({
  issuer: provider.url,
  authorization_endpoint: `${provider.url}/authorize`,
  token_endpoint: `${provider.url}/token`,
  userinfo_endpoint: `${provider.url}/userinfo`,
  jwks_uri: `${provider.url}/keys`,
})

describe('a discovery document', { tags: 'S5' }, () => {
  test.each<[string, () => object | string]>([
    ['of another issuer', () => ({ ...document(), issuer: 'https://canary.example' })],
    ['of no issuer', () => ({ ...document(), issuer: undefined })],
    ['of a list', () => [document()]],
    ['with addresses of odd types', () => ({ ...document(), token_endpoint: [provider.url], jwks_uri: 7 })],
    ['without end', () => `{"issuer": "${'x'.repeat(300_000)}"}`],
    ['of markup', () => '<script>alert("canary")</script>'],
    ['whose tokens come from a metadata service', () => ({ ...document(), token_endpoint: 'http://169.254.169.254/' })],
    ['whose keys lie at a metadata service', () => ({ ...document(), jwks_uri: 'http://[fd00:ec2::254]/' })],
    ['with a name and a password in it', () => ({ ...document(), token_endpoint: 'http://canary:x@127.0.0.1/' })],
    ['whose algorithms are not a list', () => ({ ...document(), id_token_signing_alg_values_supported: 'none' })],
  ])('%s lets no one in', async (_, written) => {
    if (_ === 'whose algorithms are not a list')
      provider.forge = (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`
    provider.hostile = ({ path }) => (path.endsWith('openid-configuration') ? { body: written() } : undefined)
    await expectNobody()
  })

  test('of an https issuer sends no browser to an address that others can overhear', async () => {
    const page = 'http://login.example.com/authorize'
    const document = {
      issuer: 'https://login.example.com',
      authorization_endpoint: page,
      token_endpoint: 'https://login.example.com/t',
      jwks_uri: 'https://login.example.com/k',
    }
    const answer: FetchGuarded = () =>
      Promise.resolve({ ok: true, status: 200, headers: {}, body: Buffer.from(JSON.stringify(document)) })
    const client = { wellKnown: 'https://login.example.com', id: 'x', secret: '' }
    expect(await discover(answer, client, AbortSignal.timeout(1_000))).toEqual({
      ok: false,
      reason: 'its discovery document does not contain an address for authorization_endpoint',
    })
  })

  test('that redirects elsewhere is not followed', async () => {
    provider.hostile = ({ path }) =>
      path.endsWith('openid-configuration') ? { status: 302, headers: { location: '/elsewhere' } } : undefined
    await expectNobody()
    expect(provider.seen.some(({ path }) => path === '/elsewhere')).toBe(false)
  })
})

describe('an endpoint', { tags: 'S27' }, () => {
  const bodies: readonly (readonly [string, object | string])[] = [
    ['markup', '<html><script>alert("canary")</script>'],
    ['a list', []],
    ['a bare word', 'null'],
    ['more than anybody needs', JSON.stringify({ sub: 'person-1', access_token: 'x', filler: 'x'.repeat(1_100_000) })],
    ['an error with markup', { error: '<script>alert("canary")</script>', error_description: 'canary' }],
    ['an error as an object', { error: { toString: 'canary' }, access_token: { a: 1 } }],
  ]
  const rows = ['/token', '/userinfo', '/keys'].flatMap((path) => bodies.map(([name, body]) => ({ path, name, body })))
  test.each(rows)('$path with $name lets no one in', async ({ path, body }) => {
    provider.hostile = (request) => (request.path === path ? { body } : undefined)
    await expectNobody()
    if (path === '/keys') return
    await byHand()
    await expectNobody()
  })
})

describe('a person', { tags: 'S9' }, () => {
  const odd = [
    ['of no length', ''],
    ['longer than the protocol permits', 'x'.repeat(256)],
    ['of 10 kB', 'x'.repeat(10_000)],
    ['with a NUL', 'person\u00001'],
    ['with a line break', 'person-1\n'],
    ['with half a character', 'person-\ud800'],
    ['that is a number', 7],
    ['that is nothing', null],
    ['that is an object', { sub: 'person-1' }],
    ['that is a list', ['person-1']],
  ] as const
  test.each(odd)('with an id %s is refused', async (_, sub) => {
    provider.person = { sub: sub as string }
    await expectNobody()
    await byHand()
    await expectNobody()
  })

  test.each(['0', 'x'.repeat(255), 'ü 李', "' or 1=1 --", '__proto__'])(
    'with the id %j has an account of its own',
    async (sub) => {
      provider.person = { sub }
      const first = await signIn()
      expect(first).toMatchObject({ success: true })
      expect((await signIn()).data).toEqual(first.data)
    },
  )

  test('is another one if a single letter of the id differs in case', async () => {
    provider.person = { sub: 'Person-1' }
    const first = await signIn()
    provider.person = { sub: 'person-1' }
    expect((await signIn()).data?.id).not.toBe(first.data?.id)
  })
})

describe('what a provider vouches for', () => {
  test('an address is verified by the very document that names it', { tags: 'S16' }, async () => {
    provider.tamper = (claims) => ({ ...claims, email: 'own@example.com', email_verified: true })
    provider.person = { sub: 'two addresses', email: 'ceo@example.com' }
    expect(await signIn()).toMatchObject({ success: true })
    expect(await lastUser()).toMatchObject({ email: 'own@example.com' })
  })

  test.each([
    'a@b.c,victim@example.com',
    'a@b.c>,<victim@example.com',
    '"a b"@c.de',
    'a@b\r\nbcc: x@y.z',
    `${'x'.repeat(60)}@b.cd`,
  ])('%j is not an address', { tags: 'S14' }, async (email) => {
    provider.person = { sub: `two in ${email.length}`, email, email_verified: true }
    expect(await signIn()).toMatchObject({ success: true })
    expect(await lastUser()).toMatchObject({ email: '' })
  })

  test.each(['true', 1, 'yes', {}, [true]])('verified: %j is not verified', { tags: 'S16' }, async (verified) => {
    provider.person = { sub: JSON.stringify(verified), email: 'ceo@example.com', email_verified: verified as boolean }
    expect(await signIn()).toMatchObject({ success: true })
    expect(await lastUser()).toMatchObject({ email: '' })
  })

  test('names are stored without invisible characters, and cut', { tags: 'S14' }, async () => {
    provider.person = {
      sub: 'markup',
      preferred_username: '<img src=x onerror=alert(1)>',
      name: '\u202e<script>\u0000\ud800'.padEnd(500, 'x'),
    }
    expect(await signIn()).toMatchObject({ success: true })
    const user = await lastUser()
    expect(user?.username).toMatch(/^oidc_[0-9a-f]{8}$/)
    expect(user?.display_name).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}]{1,20}$/u)
  })
})
