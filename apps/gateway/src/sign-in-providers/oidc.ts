import { createHash } from 'node:crypto'
import type { ExportedJWKSCache } from 'openid-client'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { askProvider, type JsonObject, textOf } from './ask-provider.ts'
import type { SignInMarks, Unidentified } from './provider.ts'

/** An OpenID Connect client, configured by its provider's discovery document. */
export interface OidcClient {
  /** Address of the discovery document, or of the issuer. */
  readonly wellKnown: string
  readonly id: string
  /** Empty for a public client, which only PKCE protects. */
  readonly secret: string
}

const DOCUMENT = '/.well-known/openid-configuration'
const SCOPE = 'openid profile email'

/** Discovery data of a provider, and those of its keys that have been read. */
export interface OidcServer {
  readonly ok: true
  readonly client: OidcClient
  readonly document: JsonObject
  readonly issuer: string
  readonly keys: { cache: ExportedJWKSCache | undefined }
}

export type OidcSetup = OidcServer | Unidentified

/** Reads the discovery document. Its issuer must be the one that the document was requested from (OpenID Connect Discovery 4.3). */
export async function discover(
  fetchGuarded: FetchGuarded,
  client: OidcClient,
  signal: AbortSignal,
): Promise<OidcSetup> {
  const issuer = client.wellKnown.replace(/(?<!\/)\/+$/, '').replace(DOCUMENT, '')
  const reply = await askProvider(fetchGuarded, { method: 'GET', url: `${issuer}${DOCUMENT}`, signal })
  if (!reply.ok) return reply
  const { status, json: document } = reply
  const named = textOf(document, 'issuer')
  if (status !== 200 || named.replace(/(?<!\/)\/+$/, '') !== issuer) {
    return { ok: false, reason: 'its discovery document names another issuer' }
  }
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri']
  // The browser is sent to the first of these: it must be a page, not a script, and no easier to eavesdrop on than the issuer.
  const protocols = issuer.startsWith('https:') ? /^https:$/ : /^https?:$/
  const missing = needed.find((field) => !protocols.test(URL.parse(textOf(document, field))?.protocol ?? ''))
  if (missing !== undefined)
    return { ok: false, reason: `its discovery document does not contain an address for ${missing}` }
  return { ok: true, client, document, issuer: named, keys: { cache: undefined } }
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

/**
 * Standard claims (OpenID Connect Core 5.1) from the provider's data, most authoritative part first. Only the part that names an
 * address can verify it: another part might be about another address.
 */
export function readClaims(issuer: string, subject: string, ...parts: readonly JsonObject[]) {
  const first = (read: (claims: JsonObject) => string): string => parts.map(read).find((text) => text !== '') ?? ''
  return {
    issuer,
    subject,
    label: subject,
    username: first((claims) => textOf(claims, 'preferred_username')),
    displayName: first((claims) => textOf(claims, 'name')),
    email: first((claims) => (claims['email_verified'] === true ? textOf(claims, 'email') : '')),
  }
}
