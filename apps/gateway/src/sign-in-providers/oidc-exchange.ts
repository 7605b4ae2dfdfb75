import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetchOptions,
  customFetch,
  enableNonRepudiationChecks,
  fetchUserInfo,
  getJwksCache,
  None,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { asObject, outageOf, textOf } from './ask-provider.ts'
import { type OidcServer, readClaims } from './oidc.ts'
import type { Callback, Identified, Unidentified } from './provider.ts'

/** Time limit in seconds for one request of the library. */
const TIMEOUT_S = 5

/** Redeems a code. The ID token's signature, issuer, audience, times and nonce are checked before anything in it is trusted. */
export async function identifyByOidc(
  fetchGuarded: FetchGuarded,
  server: OidcServer,
  call: { readonly redirect: string; readonly callback: Callback; readonly signal: AbortSignal },
): Promise<Identified> {
  const { code, issuer, marks } = call.callback
  const configuration = configure(fetchGuarded, server, call.signal)
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
    return {
      ok: true,
      identity: readClaims(server.issuer, claims.sub, asObject(userinfo) ?? {}, asObject(claims) ?? {}),
    }
  } catch (error) {
    return failureOf(error)
  }
}

/**
 * The library for one sign-in. Every request goes through the guarded client and ends with `signal`. Signatures of ID tokens are
 * checked even though the tokens come directly from the token endpoint.
 */
function configure(
  fetchGuarded: FetchGuarded,
  { client, document, keys }: OidcServer,
  signal: AbortSignal,
): Configuration {
  const { id, secret, wellKnown } = client
  const methods = document['token_endpoint_auth_methods_supported']
  const byPost =
    Array.isArray(methods) && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  const authentication = secret === '' ? None() : byPost ? ClientSecretPost(secret) : ClientSecretBasic(secret)
  // The library checks the parts that it reads. Consoles of the family return only code and state, so `iss` is checked if present,
  // but not required; the state is bound to the provider anyway.
  const metadata = { ...document, authorization_response_iss_parameter_supported: false } as unknown as ServerMetadata
  const configuration = new Configuration(metadata, id, {}, authentication)
  configuration[customFetch] = (url, options) => fetchForOidc(fetchGuarded, url, options, signal)
  configuration.timeout = TIMEOUT_S
  if (keys.cache !== undefined) setJwksCache(configuration, keys.cache)
  enableNonRepudiationChecks(configuration)
  // The operator has configured plain http: a provider inside the same network.
  if (wellKnown.startsWith('http://')) allowInsecureRequests(configuration)
  return configuration
}

async function fetchForOidc(
  fetchGuarded: FetchGuarded,
  url: string,
  { method, headers, body }: CustomFetchOptions,
  signal: AbortSignal,
): Promise<Response> {
  const { authorization, ...others } = headers
  const reply = await fetchGuarded({
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    headers: others,
    ...(authorization === undefined ? {} : { secretHeaders: { authorization } }),
    ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: body.toString() } : {}),
    timeoutMs: TIMEOUT_S * 1_000,
    signal,
  })
  const outage = outageOf(reply)
  // Keys and userinfo are requested by GET, after the provider has accepted the code.
  if (outage !== undefined) throw new ProviderUnreachable(outage.reason, { isUnasked: method === 'POST' })
  if (!reply.ok) throw new ProviderUnreachable(reply.reason, { isUnasked: false })
  return new Response(new Uint8Array(reply.body), { status: reply.status, headers: reply.headers })
}

/** The only way to signal to the library that there is no reply. */
class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
  readonly isUnasked: boolean

  constructor(reason: string, { isUnasked }: { readonly isUnasked: boolean }) {
    super(reason)
    this.isUnasked = isUnasked
  }
}

/** Returns only the library's own codes; descriptions from the provider are left out. */
function failureOf(error: unknown): Unidentified {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    if (cause instanceof ProviderUnreachable) {
      return { ok: false, reason: cause.message, ...(cause.isUnasked ? { isUnasked: true } : {}) }
    }
    if ('error' in cause && typeof cause.error === 'string' && /^[\w.-]{1,60}$/.test(cause.error)) {
      return { ok: false, reason: `the code was not accepted: ${cause.error}` }
    }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return { ok: false, reason: `its answer was refused${/^[A-Z_]{1,60}$/.test(code) ? `: ${code}` : ''}` }
}
