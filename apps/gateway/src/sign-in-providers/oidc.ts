import { createHash } from 'node:crypto'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetchOptions,
  customFetch,
  enableNonRepudiationChecks,
  type ExportedJWKSCache,
  fetchUserInfo,
  getJwksCache,
  None,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client'
import type { FetchOutside } from '../outbound/outside.ts'
import { askProvider, type JsonObject, textOf } from './ask-provider.ts'
import type { Callback, Identified, SignInMarks } from './provider.ts'

/** An OpenID Connect client, set up by its provider's discovery document. */
export interface OidcClient {
  /** Address of the discovery document, or of the issuer. */
  readonly wellKnown: string
  readonly id: string
  /** Empty: a public client, which PKCE alone protects. */
  readonly secret: string
}

const DOCUMENT = '/.well-known/openid-configuration'
const SCOPE = 'openid profile email'
/** Seconds for one request of the library. */
const TIMEOUT_S = 5

/** What discovery told of a provider, and its keys as far as they have been read. */
export interface OidcServer {
  readonly ok: true
  readonly client: OidcClient
  readonly document: JsonObject
  readonly issuer: string
  readonly keys: { cache: ExportedJWKSCache | undefined }
}

export type OidcSetup = OidcServer | { readonly ok: false; readonly reason: string }

/** Reads the discovery document. Its issuer must be the one the document was asked from (OpenID Connect Discovery 4.3). */
export async function discover(
  fetchOutside: FetchOutside,
  client: OidcClient,
  signal: AbortSignal,
): Promise<OidcSetup> {
  const issuer = client.wellKnown.replace(/\/+$/, '').replace(DOCUMENT, '')
  const reply = await askProvider(fetchOutside, { method: 'GET', url: `${issuer}${DOCUMENT}`, signal })
  if (!reply.ok) return { ok: false, reason: reply.reason }
  const { status, json: document } = reply
  const named = textOf(document, 'issuer')
  if (status !== 200 || named.replace(/\/+$/, '') !== issuer) {
    return { ok: false, reason: 'its discovery document names another issuer' }
  }
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri']
  // The browser is sent to the first of them: it must be a page, not a script.
  const missing = needed.find((field) => !/^https?:$/.test(URL.parse(textOf(document, field))?.protocol ?? ''))
  if (missing !== undefined) return { ok: false, reason: `its discovery document has no address as ${missing}` }
  return { ok: true, client, document, issuer: named, keys: { cache: undefined } }
}

/**
 * The library for one sign-in. Everything it asks goes through the guarded client and ends with `signal`. ID tokens are
 * checked by signature as well, though they come from the token endpoint itself.
 */
function configure(
  fetchOutside: FetchOutside,
  { client, document, keys }: OidcServer,
  signal: AbortSignal,
): Configuration {
  const { id, secret, wellKnown } = client
  const methods = document['token_endpoint_auth_methods_supported']
  const byPost =
    Array.isArray(methods) && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  const authentication = secret === '' ? None() : byPost ? ClientSecretPost(secret) : ClientSecretBasic(secret)
  // The library checks what it reads of it. Consoles of the family bring back code and state only, so `iss` is checked when
  // it comes, and not missed; the state is bound to the provider anyway.
  const metadata = { ...document, authorization_response_iss_parameter_supported: false } as unknown as ServerMetadata
  const configuration = new Configuration(metadata, id, {}, authentication)
  configuration[customFetch] = (url, options) => fetchGuarded(fetchOutside, url, options, signal)
  configuration.timeout = TIMEOUT_S
  if (keys.cache !== undefined) setJwksCache(configuration, keys.cache)
  enableNonRepudiationChecks(configuration)
  // Plain http is what the operator wrote down: a provider inside of the same network.
  if (wellKnown.startsWith('http://')) allowInsecureRequests(configuration)
  return configuration
}

export function oidcPage({ client, document }: OidcServer, redirect: string, marks: SignInMarks): string {
  return authorizationPage(textOf(document, 'authorization_endpoint'), client.id, redirect, marks)
}

/** An authorization request with PKCE and a nonce (OpenID Connect Core 3.1.2.1, RFC 7636). */
export function authorizationPage(endpoint: string, clientId: string, redirect: string, marks: SignInMarks): string {
  const url = new URL(endpoint)
  const query = {
    client_id: clientId,
    redirect_uri: redirect,
    response_type: 'code',
    scope: SCOPE,
    state: marks.state,
    nonce: marks.nonce,
    code_challenge: createHash('sha256').update(marks.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** Redeems a code. The ID token's signature, issuer, audience, times and nonce are checked before anything in it is believed. */
export async function identifyByOidc(
  fetchOutside: FetchOutside,
  server: OidcServer,
  call: { readonly redirect: string; readonly callback: Callback; readonly signal: AbortSignal },
): Promise<Identified> {
  const { code, issuer, marks } = call.callback
  const configuration = configure(fetchOutside, server, call.signal)
  const callback = new URL(call.redirect)
  callback.search = new URLSearchParams({
    code,
    state: marks.state,
    ...(issuer === '' ? {} : { iss: issuer }),
  }).toString()
  try {
    const tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: marks.state,
      expectedNonce: marks.nonce,
      pkceCodeVerifier: marks.verifier,
      idTokenExpected: true,
    })
    server.keys.cache = getJwksCache(configuration)
    const claims = tokens.claims()
    if (claims === undefined) return { ok: false, reason: 'it sent no ID token' }
    const hasUserinfo = textOf(server.document, 'userinfo_endpoint') !== ''
    const userinfo = hasUserinfo ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
    return { ok: true, identity: readClaims(server.issuer, claims.sub, { ...claims, ...userinfo }) }
  } catch (error) {
    return { ok: false, reason: reasonOf(error) }
  }
}

/** Standard claims (OpenID Connect Core 5.1). */
export function readClaims(issuer: string, subject: string, claims: JsonObject) {
  return {
    issuer,
    subject,
    label: subject,
    username: textOf(claims, 'preferred_username'),
    displayName: textOf(claims, 'name'),
    email: claims['email_verified'] === true ? textOf(claims, 'email') : '',
  }
}

async function fetchGuarded(
  fetchOutside: FetchOutside,
  url: string,
  { method, headers, body }: CustomFetchOptions,
  signal: AbortSignal,
): Promise<Response> {
  const { authorization, ...others } = headers
  const reply = await fetchOutside({
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    headers: others,
    ...(authorization === undefined ? {} : { secretHeaders: { authorization } }),
    ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: body.toString() } : {}),
    timeoutMs: TIMEOUT_S * 1_000,
    signal,
  })
  if (!reply.ok) throw new ProviderUnreachable(reply.reason)
  return new Response(new Uint8Array(reply.body), { status: reply.status, headers: reply.headers })
}

/** The only way to tell the library that there is no reply. */
class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
}

/** The library's codes are its own words; descriptions by the provider are left out. */
function reasonOf(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    if (cause instanceof ProviderUnreachable) return cause.message
    if ('error' in cause && typeof cause.error === 'string' && /^[\w.-]{1,60}$/.test(cause.error)) {
      return `the code was not accepted: ${cause.error}`
    }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return `its answer was refused${/^[A-Z_]{1,60}$/.test(code) ? `: ${code}` : ''}`
}
