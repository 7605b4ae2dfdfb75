import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { asObject, askProvider, errorCode, type JsonObject, postJson, textOf } from './ask-provider.ts'
import type { Identified, ProviderAddresses } from './provider.ts'

export interface GitHubClient {
  readonly id: string
  readonly secret: string
}

/** The family's scope, which also shows which addresses are verified. */
const SCOPE = 'user:email'

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export function gitHubPage(
  addresses: ProviderAddresses,
  client: GitHubClient,
  redirect: string,
  state: string,
): string {
  const query = new URLSearchParams({ client_id: client.id, redirect_uri: redirect, scope: SCOPE, state })
  return `${addresses.github}/login/oauth/authorize?${query.toString()}`
}

/** Redeems a code and identifies the person by GitHub's numeric id: a login name can be changed and then taken by someone else. */
export async function identifyByGitHub(
  fetchGuarded: FetchGuarded,
  addresses: ProviderAddresses,
  { client, code, signal }: { readonly client: GitHubClient; readonly code: string; readonly signal: AbortSignal },
): Promise<Identified> {
  const granted = await askProvider(fetchGuarded, {
    url: `${addresses.github}/login/oauth/access_token`,
    ...postJson({ client_id: client.id, client_secret: client.secret, code }),
    signal,
  })
  if (!granted.ok) return granted
  const token = textOf(granted.json, 'access_token')
  if (token === '') return fail(`the code was not accepted${errorCode(granted.json)}`)

  const secretHeaders = { authorization: `Bearer ${token}` }
  const user = await askProvider(fetchGuarded, {
    method: 'GET',
    url: `${addresses.githubApi}/user`,
    secretHeaders,
    signal,
  })
  if (!user.ok) return fail(user.reason)
  const { id } = user.json
  if (user.status !== 200 || typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) {
    return fail(`it answered ${user.status} without a user`)
  }
  const email = await verifiedEmail(fetchGuarded, `${addresses.githubApi}/user/emails`, secretHeaders, signal)
  const login = textOf(user.json, 'login')
  return {
    ok: true,
    identity: {
      issuer: addresses.github,
      subject: String(id),
      label: login,
      username: `github_${id}`,
      displayName: textOf(user.json, 'name') || login,
      email,
    },
  }
}

/** The primary address, if it is verified. An account works without it, so a failure here is ignored. */
async function verifiedEmail(
  fetchGuarded: FetchGuarded,
  url: string,
  secretHeaders: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  const reply = await fetchGuarded({
    method: 'GET',
    url,
    headers: { accept: 'application/json', 'user-agent': 'Sluice' },
    secretHeaders,
    timeoutMs: 3_000,
    maxBytes: 262_144,
    signal,
  })
  if (!reply.ok || reply.status !== 200) return ''
  const primary = parseList(reply.body.toString()).find((each) => each['primary'] === true && each['verified'] === true)
  return primary === undefined ? '' : textOf(primary, 'email')
}

function parseList(text: string): readonly JsonObject[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.map((each) => asObject(each) ?? {}) : []
  } catch {
    return []
  }
}

const fail = (reason: string): Identified => ({ ok: false, reason })
