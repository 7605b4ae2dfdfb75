import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import { describe, expect, test } from 'vitest'
import type { ChannelSetup } from '../channel-setup.ts'
import { kindOf } from '../kinds/all.ts'
import { credentialsOf } from './credentials-of.ts'
import type { HeaderList, TokenCredentials } from './credentials.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' })

function setup(code: number, key: string, more: Partial<ChannelSetup> = {}): ChannelSetup {
  const kind = kindOf(code)
  if (kind === undefined) throw new Error(`no kind ${code}`)
  return { kind, key, baseUrl: '', config: {}, other: '', inferenceProfileArnMap: null, ...more }
}

/** Headers of credentials for which nothing must be fetched. */
function headers(code: number, key: string, more?: Partial<ChannelSetup>): HeaderList | string {
  const found = credentialsOf(setup(code, key, more))
  if ('problem' in found) return found.problem
  if (found.kind === 'fixed') return found.headers
  return found.kind === 'token' ? 'a token' : found.sign(REQUEST, NOW)
}
const REQUEST = {
  method: 'POST',
  origin: 'https://bedrock-runtime.eu-west-1.amazonaws.com',
  path: '/model/x/converse',
  headers: [],
  body: Buffer.from('{}'),
} as const

function tokens(code: number, key: string, more?: Partial<ChannelSetup>): TokenCredentials {
  const found = credentialsOf(setup(code, key, more))
  if ('problem' in found || found.kind !== 'token') throw new Error('no token credentials')
  return found
}

function claims(token: string) {
  const [head = '', body = '', signature = ''] = token.split('.')
  const text = Buffer.from(`${head}.${body}`)
  expect(
    verify(
      'RSA-SHA256',
      text,
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      Buffer.from(signature, 'base64url'),
    ),
  ).toBe(true)
  return [head, body].map((part) => asObject(parseJson(Buffer.from(part, 'base64url').toString())))
}

describe('the key of a channel becomes what its vendor expects', () => {
  test.each<[number, string, HeaderList]>([
    [1, ' sk-abc\n', ['authorization', 'Bearer sk-abc']],
    [50, '', []],
    [50, 'k', ['authorization', 'Bearer k']],
    [3, 'k', ['api-key', 'k', 'x-api-key', 'k']],
    [14, 'sk-ant-api03-x', ['x-api-key', 'sk-ant-api03-x']],
    [14, 'sk-ant-oat01-x', ['authorization', 'Bearer sk-ant-oat01-x', 'anthropic-beta', 'oauth-2025-04-20']],
    [16, 'id.secret', ['authorization', 'Bearer id.secret']],
    [18, 'app|secret|key', ['authorization', 'Bearer key:secret']],
    [48, 'password', ['authorization', 'Bearer password']],
    [24, 'AIza', ['x-goog-api-key', 'AIza']],
    [34, 'pat_x', ['authorization', 'Bearer pat_x']],
    [38, 'k:fx', ['authorization', 'DeepL-Auth-Key k:fx']],
    [43, 'Token token=a b', ['authorization', 'Token token=a b']],
  ])('of type %i', (code, key, expected) => {
    expect(headers(code, key)).toEqual(expected)
  })

  test('of type 33 as a signature, or unchanged where it is an API key of Bedrock', () => {
    const signature = headers(33, 'AK|SK|eu-west-1|TOKEN')
    expect(signature.slice(0, 4)).toEqual(['x-amz-date', '20261121T120000Z', 'x-amz-security-token', 'TOKEN'])
    expect(signature[5]).toContain('Credential=AK/20261121/eu-west-1/bedrock/aws4_request')
    const region = { config: { region: 'eu-west-1' } }
    expect(headers(33, 'ABSKx', region)).toEqual(['authorization', 'Bearer ABSKx'])
  })

  test('of type 23 as a signature where it has three parts', () => {
    const body = Buffer.from('{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}')
    const found = credentialsOf(setup(23, '1|id|secretkey-example'))
    if ('problem' in found || found.kind !== 'signed') throw new Error('no signature')
    const origin = 'https://hunyuan.tencentcloudapi.com'
    const request = { ...REQUEST, origin, path: '/', headers: ['content-type', 'application/json'], body }
    const signature = found.sign(request, 1_767_225_600_000)
    expect(signature.slice(0, 4)).toEqual(['x-tc-action', 'ChatCompletions', 'x-tc-version', '2023-09-01'])
    expect(signature.slice(4, 8)).toEqual(['x-tc-timestamp', '1767225600', 'x-tc-region', 'ap-guangzhou'])
    expect(signature[9]).toMatch(/Signature=6a9815b3d0d5605f9eccda2d210546dd7fb1b1456c349b4558b29217863016c8$/)
    expect(headers(23, 'sk-x')).toEqual(['authorization', 'Bearer sk-x'])
  })

  test('of type 16 as a signed token where the channel says so, so that the secret stays here', () => {
    const [, token = ''] = headers(16, 'id.secret', { config: { auth_type: 'oauth_jwt' } })
    expect(token).toMatch(/^Bearer ey/)
    expect(Buffer.from(token, 'base64url').toString()).not.toContain('secret')
  })
})

describe('a service account of Google', () => {
  const document = (more: object = {}) =>
    JSON.stringify({
      type: 'service_account',
      client_email: 'a@b.iam.gserviceaccount.com',
      private_key: PEM,
      private_key_id: 'kid1',
      note: 'x|y',
      ...more,
    })
  const key = (more?: object) => `global|my-project|${document(more)}`

  test('signs the request for its token', () => {
    const request = tokens(42, key()).request(NOW, 'n')
    expect(request).toMatchObject({ origin: 'https://oauth2.googleapis.com', path: '/token' })
    const form = new URLSearchParams(request.body)
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    expect(claims(form.get('assertion') ?? '')).toEqual([
      { alg: 'RS256', typ: 'JWT', kid: 'kid1' },
      {
        iss: 'a@b.iam.gserviceaccount.com',
        sub: 'a@b.iam.gserviceaccount.com',
        aud: 'https://oauth2.googleapis.com/token',
        scope: 'https://www.googleapis.com/auth/cloud-platform',
        iat: NOW / 1_000,
        exp: NOW / 1_000 + 3_600,
      },
    ])
  })

  test('reads the token and its expiry', () => {
    const google = tokens(42, key())
    const body = '{"access_token":"ya29.x","expires_in":3599,"token_type":"Bearer"}'
    expect(google.read(200, body, NOW)).toEqual({ token: 'ya29.x', expiresAt: NOW + 3_599_000 })
    expect(google.headers('ya29.x')).toEqual(['authorization', 'Bearer ya29.x'])
  })

  test('of a user gives its refresh token', () => {
    const user = { type: 'authorized_user', client_id: 'i', client_secret: 's', refresh_token: 'r' }
    const { body } = tokens(42, `global|p|${JSON.stringify(user)}`).request(NOW, 'n')
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'refresh_token',
      client_id: 'i',
      client_secret: 's',
      refresh_token: 'r',
    })
  })

  test('shares its tokens with channels of the same account, and no others', () => {
    expect(tokens(42, key()).cacheKey).toBe(tokens(42, key().replace('global', 'us')).cacheKey)
    expect(tokens(42, key()).cacheKey).not.toBe(tokens(42, key({ client_email: 'c@d' })).cacheKey)
    expect(tokens(42, key()).cacheKey).not.toContain('PRIVATE')
  })

  // An attacker's document must not choose which host this machine calls.
  test.each([
    'http://oauth2.googleapis.com/token',
    'https://oauth2.googleapis.com.evil.example/token',
    'https://evil.example/token',
    'https://169.254.169.254/token',
    'https://oauth2.googleapis.com:8443/token',
    'https://user:pass@oauth2.googleapis.com/token',
    'https://evil.example\\@oauth2.googleapis.com/token',
    'file:///etc/passwd',
    'token',
  ])('its token_uri %j is refused', { tags: 'S3' }, (uri) => {
    expect(headers(42, key({ token_uri: uri }))).toBe(
      'credentials: token_uri must be an https:// address of the vendor',
    )
  })

  test('can be used at the address that the administrator gave the channel', () => {
    const more = { baseUrl: 'http://127.0.0.1:9/v' }
    expect(tokens(42, key({ token_uri: 'http://127.0.0.1:9/token' }), more).request(NOW, 'n').origin).toBe(
      'http://127.0.0.1:9',
    )
    expect(headers(42, key({ token_uri: 'http://127.0.0.1:8/token' }), more)).toMatch(/token_uri must be/)
  })

  test.each([
    ['no key', 'x'],
    ['of another sort', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })],
    [
      'too small',
      generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ],
    ['damaged', String(PEM).replace(/\n[^\n]+\n-----END/, '\nAAAA\n-----END')],
    ['a number', 7],
  ])('with a private key that is %s is a problem', (_, wrong) => {
    expect(headers(42, key({ private_key: wrong }))).toBe(
      'credentials: private_key must be an RSA key of 1024 to 8192 bits in PEM form',
    )
  })
})

describe('an app of Coze', () => {
  const key = (more: object = {}) =>
    JSON.stringify({
      client_type: 'jwt',
      client_id: '1234',
      coze_www_base: 'https://www.coze.cn',
      coze_api_base: 'https://api.coze.cn',
      private_key: PEM,
      public_key_id: 'pub1',
      ...more,
    })

  test('signs the request for its token', () => {
    const request = tokens(34, key(), { config: { auth_type: 'oauth_jwt' } }).request(NOW, 'once')
    expect(request).toMatchObject({ origin: 'https://api.coze.cn', path: '/api/permission/oauth2/token' })
    const [, , , authorization = ''] = request.headers
    expect(claims(authorization.replace('Bearer ', ''))).toEqual([
      { alg: 'RS256', typ: 'JWT', kid: 'pub1' },
      { iss: '1234', aud: 'api.coze.cn', iat: NOW / 1_000, exp: NOW / 1_000 + 600, jti: 'once' },
    ])
  })

  test('gets the expiry of its token as a time, not a duration', () => {
    const coze = tokens(34, key())
    const end = NOW / 1_000 + 900
    expect(coze.read(200, `{"access_token":"t","expires_in":${end}}`, NOW)).toEqual({
      token: 't',
      expiresAt: end * 1_000,
    })
  })

  test.each(['https://evil.example', 'http://api.coze.cn', 'https://api.coze.cn.evil.example', ''])(
    'its coze_api_base %j is refused',
    { tags: 'S3' },
    (base) => {
      expect(headers(34, key({ coze_api_base: base }))).toBe('coze_api_base must be an https:// address of the vendor')
    },
  )
})

test('an application of Azure signs in at Entra for what its host serves', () => {
  const asked = (host: string) => tokens(3, 'tenant-1|client|s3cret', { baseUrl: host }).request(NOW, 'n')
  const { origin, path, body } = asked('https://x.openai.azure.com')
  expect(origin + path).toBe('https://login.microsoftonline.com/tenant-1/oauth2/v2.0/token')
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    client_id: 'client',
    client_secret: 's3cret',
    scope: 'https://cognitiveservices.azure.com/.default',
    grant_type: 'client_credentials',
  })
  expect(asked('https://x.services.ai.azure.com').body).toContain('scope=https%3A%2F%2Fai.azure.com%2F.default')
  for (const tenant of ['..', 'a/b', 'a?b', '']) expect(headers(3, `${tenant}|c|s`)).toMatch(/tenant/)
})

test('a pair of Baidu’s is exchanged for a token that is in the query', () => {
  const pair = tokens(15, 'api-key|secret key')
  expect(pair.request(NOW, 'n')).toMatchObject({
    origin: 'https://aip.baidubce.com',
    path: '/oauth/2.0/token?grant_type=client_credentials&client_id=api-key&client_secret=secret+key',
  })
  const reply = '{"access_token":"24.6c5e1ff107f0e8bcef8c46d3424a0e78","expires_in":2592000,"scope":"public"}'
  const read = pair.read(200, reply, NOW)
  expect(read).toEqual({ token: '24.6c5e1ff107f0e8bcef8c46d3424a0e78', expiresAt: NOW + 2_592_000_000 })
  expect([pair.headers('t'), pair.query?.('24.a/b')]).toEqual([[], 'access_token=24.a%2Fb'])
  const refused = '{"error":"invalid_client","error_description":"unknown client id"}'
  expect(pair.read(401, refused, NOW)).toEqual({
    problem: "no token was issued for the channel's key (status 401: invalid_client)",
  })
})

describe('a key that cannot be used', () => {
  test.each([
    [1, '', 'API key is required'],
    [15, 'key|', 'API key must have the form APIKey|SecretKey'],
    [23, '1|id', 'API key must have the form AppId|SecretId|SecretKey'],
    [23, '1|i d|key', 'API key must have the form AppId|SecretId|SecretKey'],
    [33, 'AK|SK', expect.stringContaining('region')],
    [33, 'AK|SK|evil.example/', 'config.region must be a region such as us-east-1'],
    [33, 'AK|S K|eu-west-1', expect.stringContaining('AccessKey|SecretKey|Region')],
    [42, 'global|p', expect.stringContaining('Region|ProjectID')],
    [42, 'global|p|{', 'credentials: Invalid JSON format'],
    [34, '{', 'Invalid JSON format'],
  ])('of type %i says why', (code, key, problem) => {
    expect(headers(code, key)).toEqual(problem)
  })

  // A key must not be able to add a header of its own.
  test.each(['sk-a\r\nHost: evil', 'sk a', 'sk-\u00e9', 'sk-\u0000'])(
    '%j is refused without repeating it',
    { tags: 'S29' },
    (key) => {
      expect(headers(50, key)).toBe('API key may contain only printable ASCII characters')
    },
  )
})
