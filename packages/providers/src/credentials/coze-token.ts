import { parseObject, textOf } from '../channel-fields/json-object.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { Credentials } from './credentials.ts'
import { readRsaKey, rs256 } from './jwt.ts'
import { digestOf, readTokenReply, tokenAddress } from './token-reply.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** Lifetimes of a token and of the assertion that requests it, in seconds. */
const TOKEN_LIFE = 3_600
const ASSERTION_LIFE = 600

/** Tokens of a Coze app that signs them itself, from the document that developers download from Coze. */
export function cozeCredentials({ key, baseUrl }: Pick<ChannelSetup, 'key' | 'baseUrl'>): Credentials | SetupProblem {
  const document = parseObject(key)
  if (document === undefined) return { problem: 'Invalid JSON format' }
  const [clientId, keyId] = [textOf(document['client_id']), textOf(document['public_key_id'])]
  if (clientId === '' || keyId === '') return { problem: 'Missing required field: client_id or public_key_id' }
  const address = tokenAddress(textOf(document['coze_api_base']), isCoze, baseUrl)
  if ('problem' in address) return { problem: `coze_api_base ${address.problem}` }
  const { origin, host } = address.url
  const found = readRsaKey(document['private_key'])
  if ('problem' in found) return found
  return {
    kind: 'token',
    cacheKey: digestOf('coze', key),
    request: (now, nonce) => {
      const iat = Math.floor(now / 1_000)
      const claims = { iss: clientId, aud: host, iat, exp: iat + ASSERTION_LIFE, jti: nonce }
      const assertion = rs256({ typ: 'JWT', kid: keyId }, claims, found.key)
      return {
        origin,
        path: '/api/permission/oauth2/token',
        headers: ['content-type', 'application/json', 'authorization', `Bearer ${assertion}`],
        body: JSON.stringify({ grant_type: GRANT, duration_seconds: TOKEN_LIFE }),
      }
    },
    read: readTokenReply,
    headers: (token) => ['authorization', `Bearer ${token}`],
  }
}

const isCoze = (host: string): boolean => host === 'api.coze.com' || host === 'api.coze.cn'
