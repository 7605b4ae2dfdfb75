import { createHash, randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { type Site, type SiteReply, type SiteRequest, startSite } from '../http-site.ts'

export interface OidcPerson {
  readonly sub: string
  readonly preferred_username?: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
}

/** A full OpenID Connect provider: discovery, authorization with PKCE, token, userinfo, JWKS. */
export interface OidcProvider {
  readonly url: string
  readonly seen: Site['seen']
  /** The user who consents; tests replace it. */
  person: OidcPerson
  /** Changes an ID token's claims before it is signed. */
  tamper: (claims: JWTPayload) => JWTPayload
  /** Signs with a key that is not in the JWKS. */
  signsWithForeignKey: boolean
  /** Subject of userinfo, if not the token's. */
  userinfoSubject: string | undefined
  /** Path that currently returns 503. */
  outage: string | undefined
  /** Overrides the provider's reply when it returns one. */
  hostile: ((request: SiteRequest) => SiteReply | undefined) | undefined
  /** Replaces the provider's ID token; gets the key that it would be signed with. */
  forge: ((claims: JWTPayload, key: CryptoKey, published: JWK) => string | Promise<string>) | undefined
  close(): Promise<void>
}

export const OIDC_CLIENT = { id: 'sluice-client', secret: 'oidc canary secret' } as const

interface Grant {
  readonly person: OidcPerson
  readonly redirect: string
  readonly nonce: string
  readonly challenge: string
}

/** Made once per process, because each takes a tenth of a second. */
const keys = { own: generateKeyPair('RS256'), foreign: generateKeyPair('RS256') }

export async function startOidcProvider(): Promise<OidcProvider> {
  const own = await keys.own
  const foreign = await keys.foreign
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, OidcPerson>()

  const answer = async (request: SiteRequest): Promise<SiteReply> => {
    const hostile = provider.hostile?.(request)
    if (hostile !== undefined) return hostile
    if (request.path === provider.outage) return { status: 503, body: { error: 'temporarily_unavailable' } }
    switch (request.path) {
      case '/.well-known/openid-configuration':
        return { body: discoveryDocument(site.url) }
      case '/keys':
        return { body: { keys: [jwk] } }
      case '/authorize':
        return authorize(request.query)
      case '/token':
        return await redeem(request)
      case '/userinfo':
        return userinfo(request.headers.authorization ?? '')
      default:
        return { status: 404 }
    }
  }
  const site = await startSite(answer)
  const person: OidcPerson = { sub: 'person-1' }
  const provider = Object.assign(
    {
      person,
      tamper: (claims: JWTPayload): JWTPayload => claims,
      signsWithForeignKey: false,
      userinfoSubject: undefined as string | undefined,
      outage: undefined as string | undefined,
      hostile: undefined as OidcProvider['hostile'],
      forge: undefined as OidcProvider['forge'],
    },
    site,
  )
  return provider

  function authorize(query: URLSearchParams): SiteReply {
    const get = (name: string): string => query.get(name) ?? ''
    const isProper =
      get('client_id') === OIDC_CLIENT.id && get('response_type') === 'code' && get('scope').includes('openid')
    if (!isProper || get('code_challenge_method') !== 'S256') return { status: 400, body: 'not a proper request' }
    const code = randomUUID()
    const grant = { redirect: get('redirect_uri'), nonce: get('nonce'), challenge: get('code_challenge') }
    codes.set(code, { person: provider.person, ...grant })
    const back = new URL(grant.redirect)
    back.search = new URLSearchParams({ code, state: get('state') }).toString()
    return { status: 302, headers: { location: back.href } }
  }

  async function redeem({ body, headers }: SiteRequest): Promise<SiteReply> {
    const form = new URLSearchParams(body)
    if (!isClient(headers.authorization ?? '', form)) return { status: 401, body: { error: 'invalid_client' } }
    const code = form.get('code') ?? ''
    const grant = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant === undefined || grant.redirect !== form.get('redirect_uri') || grant.challenge !== challenge) {
      return { status: 400, body: { error: 'invalid_grant', error_description: 'canary description' } }
    }
    const token = randomUUID()
    tokens.set(token, grant.person)
    const id_token = await sign(grant)
    return { body: { access_token: token, token_type: 'Bearer', expires_in: 300, id_token } }
  }

  async function sign({ person, nonce }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const claims = { iss: site.url, aud: OIDC_CLIENT.id, sub: person.sub, nonce, iat: now, exp: now + 300 }
    const key: CryptoKey = provider.signsWithForeignKey ? foreign.privateKey : own.privateKey
    if (provider.forge !== undefined) return await provider.forge(provider.tamper(claims), key, jwk)
    return await new SignJWT(provider.tamper(claims)).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(key)
  }

  function userinfo(authorization: string): SiteReply {
    const person = tokens.get(authorization.replace('Bearer ', ''))
    if (person === undefined) return { status: 401 }
    return { body: { ...person, sub: provider.userinfoSubject ?? person.sub } }
  }
}

/** By Basic authentication, where both parts are form-encoded (RFC 6749 section 2.3.1), or by form fields. */
function isClient(authorization: string, form: URLSearchParams): boolean {
  const { id, secret } = OIDC_CLIENT
  if (authorization === '') return form.get('client_id') === id && form.get('client_secret') === secret
  const [user = '', password = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')
  const decode = (text: string): string => new URLSearchParams(`_=${text}`).get('_') ?? ''
  return decode(user) === id && decode(password) === secret
}

function discoveryDocument(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  }
}
