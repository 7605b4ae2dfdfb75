import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { asObject, askProvider, errorCode, type JsonObject, textOf } from './ask-provider.ts'
import { authorizationPage, readClaims } from './oidc.ts'
import type { Callback, Identified, SignInMarks } from './provider.ts'

/** A provider without a discovery document: its three addresses are entered by hand. */
export interface ExplicitClient {
  readonly id: string
  readonly secret: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly userinfoEndpoint: string
}

/** Seconds by which clocks can differ. */
const CLOCK_TOLERANCE_S = 30

export function explicitPage(client: ExplicitClient, redirect: string, marks: SignInMarks): string {
  return authorizationPage(client.authorizationEndpoint, client.id, redirect, marks)
}

/**
 * Redeems a code and asks the userinfo endpoint for the person. Without a discovery document the signing keys of ID tokens are
 * unknown, so no token is trusted; but a sent token must be for this client, this sign-in, this person and this time (OpenID
 * Connect Core 3.1.3.7, whose item 6 allows TLS in place of the signature here).
 */
export async function identifyByEndpoints(
  fetchGuarded: FetchGuarded,
  call: {
    readonly client: ExplicitClient
    readonly redirect: string
    readonly callback: Callback
    /** Unix milliseconds. */
    readonly now: number
    readonly signal: AbortSignal
  },
): Promise<Identified> {
  const { client, redirect, callback, now, signal } = call
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: callback.code,
    redirect_uri: redirect,
    client_id: client.id,
    code_verifier: callback.marks.verifier,
    ...(client.secret === '' ? {} : { client_secret: client.secret }),
  })
  const granted = await askProvider(fetchGuarded, {
    method: 'POST',
    url: client.tokenEndpoint,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    signal,
  })
  if (!granted.ok) return granted
  const token = textOf(granted.json, 'access_token')
  if (token === '') return fail(`the code was not accepted${errorCode(granted.json)}`)

  const user = await askProvider(fetchGuarded, {
    method: 'GET',
    url: client.userinfoEndpoint,
    secretHeaders: { authorization: `Bearer ${token}` },
    signal,
  })
  if (!user.ok) return fail(user.reason)
  const subject = textOf(user.json, 'sub')
  if (user.status !== 200 || subject === '') return fail('it did not identify the user')
  const idToken = granted.json['id_token']
  const marks = { nonce: callback.marks.nonce, subject, clientId: client.id, now }
  if (idToken !== undefined && !isForThisSignIn(idToken, marks)) return fail('its ID token is for another sign-in')
  return { ok: true, identity: readClaims(new URL(client.tokenEndpoint).origin, subject, user.json) }
}

function isForThisSignIn(
  idToken: unknown,
  expected: { readonly nonce: string; readonly subject: string; readonly clientId: string; readonly now: number },
): boolean {
  const claims = claimsOf(idToken)
  if (claims === undefined) return false
  const { aud, azp, nonce, sub } = claims
  const isForUs = aud === expected.clientId || (Array.isArray(aud) && aud.includes(expected.clientId))
  // A token for several clients names the one that it was issued to.
  const isToUs = !Array.isArray(aud) || aud.length === 1 || azp === expected.clientId
  const isOurs = isForUs && isToUs && nonce === expected.nonce && sub === expected.subject
  return isOurs && livesAt(claims, expected.now / 1_000)
}

/** `now` in unix seconds, like the claims. */
function livesAt({ exp, iat, nbf }: JsonObject, now: number): boolean {
  const hasBegun = [iat, nbf].every(
    (start) => start === undefined || (typeof start === 'number' && start - CLOCK_TOLERANCE_S <= now),
  )
  return hasBegun && typeof exp === 'number' && exp + CLOCK_TOLERANCE_S > now
}

function claimsOf(idToken: unknown): JsonObject | undefined {
  const payload = typeof idToken === 'string' ? idToken.split('.')[1] : undefined
  if (payload === undefined) return undefined
  try {
    return asObject(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  } catch {
    return undefined
  }
}

const fail = (reason: string): Identified => ({ ok: false, reason })
