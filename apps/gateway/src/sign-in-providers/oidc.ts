import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetchOptions,
  customFetch,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ServerMetadata,
} from 'openid-client'
import type { FetchOutside } from '../outbound/outside.ts'
import { askProvider, type JsonObject, textOf } from './ask-provider.ts'
import { s256 } from './pkce.ts'
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

export type OidcSetup =
  | { readonly ok: true; readonly configuration: Configuration; readonly issuer: string }
  | { readonly ok: false; readonly reason: string }

/** Reads the discovery document. Its issuer must be the one the document was asked from (OpenID Connect Discovery 4.3). */
export async function discover(
  fetchOutside: FetchOutside,
  client: OidcClient,
  signal: AbortSignal,
): Promise<OidcSetup> {
  const issuer = client.wellKnown.replace(/\/+$/, '').replace(DOCUMENT, '')
  const reply = await askProvider(fetchOutside, { method: 'GET', url: `${issuer}${DOCUMENT}`, signal })
  if (!reply.ok) return { ok: false, reason: reply.reason }
  const named = textOf(reply.json, 'issuer')
  if (reply.status !== 200 || named.replace(/\/+$/, '') !== issuer) {
    return { ok: false, reason: 'its discovery document names another issuer' }
  }
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri']
  const missing = needed.find((field) => textOf(reply.json, field) === '')
  if (missing !== undefined) return { ok: false, reason: `its discovery document has no ${missing}` }
  return { ok: true, configuration: configure(fetchOutside, client, reply.json), issuer: named }
}

/**
 * Everything the library asks goes through the guarded client. ID tokens are checked by signature as well, though they come
 * from the token endpoint itself.
 */
function configure(
  fetchOutside: FetchOutside,
  { id, secret, wellKnown }: OidcClient,
  document: JsonObject,
): Configuration {
  const methods = document['token_endpoint_auth_methods_supported']
  const byPost =
    Array.isArray(methods) && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  const authentication = secret === '' ? None() : byPost ? ClientSecretPost(secret) : ClientSecretBasic(secret)
  // The library checks what it reads of it. Consoles of the family bring back code and state only, so `iss` is checked when
  // it comes, and not missed; the state is bound to the provider anyway.
  const metadata = { ...document, authorization_response_iss_parameter_supported: false } as unknown as ServerMetadata
  const configuration = new Configuration(metadata, id, {}, authentication)
  configuration[customFetch] = (url, options) => fetchGuarded(fetchOutside, url, options)
  configuration.timeout = TIMEOUT_S
  enableNonRepudiationChecks(configuration)
  // Plain http is what the operator wrote down: a provider inside of the same network.
  if (wellKnown.startsWith('http://')) allowInsecureRequests(configuration)
  return configuration
}

export async function oidcPage(configuration: Configuration, redirect: string, marks: SignInMarks): Promise<string> {
  return buildAuthorizationUrl(configuration, {
    redirect_uri: redirect,
    response_type: 'code',
    scope: SCOPE,
    state: marks.state,
    nonce: marks.nonce,
    code_challenge: s256(marks.verifier),
    code_challenge_method: 'S256',
  }).href
}

/** Redeems a code. The ID token's signature, issuer, audience, times and nonce are checked before anything in it is believed. */
export async function identifyByOidc(
  setup: OidcSetup & { readonly ok: true },
  redirect: string,
  { code, issuer, marks }: Callback,
): Promise<Identified> {
  const { configuration } = setup
  const callback = new URL(redirect)
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
    const claims = tokens.claims()
    if (claims === undefined) return { ok: false, reason: 'it sent no ID token' }
    const hasUserinfo = configuration.serverMetadata().userinfo_endpoint !== undefined
    const userinfo = hasUserinfo ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
    return { ok: true, identity: readClaims(setup.issuer, claims.sub, { ...claims, ...userinfo }) }
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
  { method, headers, body, signal }: CustomFetchOptions,
): Promise<Response> {
  const { authorization, ...others } = headers
  const reply = await fetchOutside({
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    headers: others,
    ...(authorization === undefined ? {} : { secretHeaders: { authorization } }),
    ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: body.toString() } : {}),
    timeoutMs: TIMEOUT_S * 1_000,
    signal: signal ?? AbortSignal.timeout(TIMEOUT_S * 1_000),
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
