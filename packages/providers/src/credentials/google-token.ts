import type { JsonObject } from '@sluice/dialects/json-value'
import { PROJECT, REGION } from '../channel-fields/field-problem.ts'
import { parseObject, textOf } from '../channel-fields/json-object.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { Credentials } from './credentials.ts'
import { readRsaKey, rs256 } from './jwt.ts'
import { digestOf, formRequest, readTokenReply, tokenAddress } from './token-reply.ts'

const TOKEN_URI = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** Seconds; the longest lifetime that Google accepts. */
const ASSERTION_LIFE = 3_600

/** Application default credentials: a service account that signs its own assertions, or a user's refresh token. */
export function googleCredentials({ key, baseUrl }: Pick<ChannelSetup, 'key' | 'baseUrl'>): Credentials | SetupProblem {
  const parts = readGoogleKey(key)
  if ('problem' in parts) return parts
  const document = parseObject(parts.document)
  if (document === undefined) return { problem: 'credentials: Invalid JSON format' }
  const address = tokenAddress(textOf(document['token_uri']) || TOKEN_URI, isGoogle, baseUrl)
  if ('problem' in address) return { problem: `credentials: token_uri ${address.problem}` }
  const request = document['type'] === 'authorized_user' ? userRequest(document) : accountRequest(document, address.url)
  if ('problem' in request) return request
  return {
    kind: 'token',
    cacheKey: digestOf('google', parts.document),
    request: (now) => formRequest(address.url, request.fields(now)),
    read: readTokenReply,
    headers: (token) => ['authorization', `Bearer ${token}`],
  }
}

interface Grant {
  readonly fields: (now: number) => Readonly<Record<string, string>>
}

function accountRequest(document: JsonObject, audience: URL): Grant | SetupProblem {
  const found = readRsaKey(document['private_key'])
  if ('problem' in found) return { problem: `credentials: ${found.problem}` }
  const email = textOf(document['client_email'])
  if (email === '') return { problem: 'credentials: Missing required field: client_email' }
  const kid = textOf(document['private_key_id'])
  const header = { typ: 'JWT', ...(kid === '' ? {} : { kid }) }
  return {
    fields: (now) => {
      const iat = Math.floor(now / 1_000)
      const claims = { iss: email, sub: email, aud: audience.href, scope: SCOPE, iat, exp: iat + ASSERTION_LIFE }
      return { grant_type: GRANT, assertion: rs256(header, claims, found.key) }
    },
  }
}

function userRequest(document: JsonObject): Grant | SetupProblem {
  const fields: Record<string, string> = { grant_type: 'refresh_token' }
  for (const name of ['client_id', 'client_secret', 'refresh_token']) {
    const value = textOf(document[name])
    if (value === '') return { problem: `credentials: Missing required field: ${name}` }
    fields[name] = value
  }
  return { fields: () => fields }
}

const isGoogle = (host: string): boolean => host === 'accounts.google.com' || host.endsWith('.googleapis.com')

interface GoogleKey {
  readonly region: string
  readonly project: string
  /** Application default credentials, as JSON text. */
  readonly document: string
}

/** Reads `Region|ProjectID|credentials in JSON`, whose document can contain `|`. Region and project become parts of addresses. */
export function readGoogleKey(key: string): GoogleKey | SetupProblem {
  const [region = '', project = '', ...rest] = key
    .trim()
    .split('|')
    .map((part) => part.trim())
  if (rest.length === 0) return { problem: 'API key must have the form Region|ProjectID|credentials in JSON' }
  if (!REGION.test(region)) return { problem: 'API key must begin with a region such as us-central1' }
  if (!PROJECT.test(project)) return { problem: 'API key must contain a project id after the region' }
  return { region, project, document: rest.join('|') }
}
