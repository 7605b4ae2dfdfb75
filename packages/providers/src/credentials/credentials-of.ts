import { type ChannelSetup, isSetupProblem, type SetupProblem } from '../channel-setup.ts'
import { readAwsKey } from './aws-key.ts'
import { awsSignature } from './aws-signature.ts'
import { baiduCredentials } from './baidu-token.ts'
import { cozeCredentials } from './coze-token.ts'
import type { Credentials, HeaderList } from './credentials.ts'
import { googleCredentials } from './google-token.ts'
import { hs256 } from './jwt.ts'
import { tencentCredentials } from './tencent-key.ts'
import { digestOf, formRequest, readTokenReply } from './token-reply.ts'

/** Built once per channel; problems contain no part of the key. */
export function credentialsOf(setup: ChannelSetup): Credentials | SetupProblem {
  const { kind, config, baseUrl } = setup
  const key = setup.key.trim()
  const parts = key.split('|')
  switch (kind.credentials) {
    case 'bearer':
      return fixed(key, bearer)
    case 'bearer-optional':
      return key === '' ? { kind: 'fixed', headers: [] } : fixed(key, bearer)
    case 'x-api-key':
      return fixed(key, anthropicKey)
    case 'goog-api-key':
      return fixed(key, (word) => ['x-goog-api-key', word])
    case 'deepl-key':
      return fixed(key, (word) => ['authorization', `DeepL-Auth-Key ${word}`])
    case 'azure-key':
      if (parts.length === 3) return entraCredentials(key, URL.parse(baseUrl.trim())?.hostname ?? '')
      // Claude on Foundry reads the second header.
      return fixed(key, (word) => ['api-key', word, 'x-api-key', word])
    case 'sigv4':
      return awsCredentials(setup)
    case 'google-service-account':
      return googleCredentials(setup)
    case 'coze':
      return config['auth_type'] === 'oauth_jwt' || key.startsWith('{') ? cozeCredentials(setup) : fixed(key, bearer)
    case 'zhipu':
      return config['auth_type'] === 'oauth_jwt' ? zhipuCredentials(key) : fixed(key, bearer)
    case 'spark':
      // Three parts sign the vendor's websocket; over HTTP two of them form the password.
      return fixed(parts.length === 3 ? `${parts[2]}:${parts[1]}` : key, bearer)
    case 'baidu':
      return parts.length > 1 ? baiduCredentials(key, setup.baseUrl) : fixed(key, bearer)
    case 'tencent':
      return parts.length > 1 ? tencentCredentials(setup) : fixed(key, bearer)
    case 'verbatim':
      return verbatim(key)
  }
}

/** Prefix of an OAuth token, which belongs to a subscription, not to the API. */
const OAUTH_KEY = 'sk-ant-oat'

function anthropicKey(key: string): HeaderList {
  if (key.startsWith(OAUTH_KEY)) return [...bearer(key), 'anthropic-beta', 'oauth-2025-04-20']
  return ['x-api-key', key]
}

function awsCredentials({ key, config }: ChannelSetup): Credentials | SetupProblem {
  const aws = readAwsKey(key, config)
  if (isSetupProblem(aws)) return aws
  const { region, access } = aws
  if ('apiKey' in access) return { kind: 'fixed', headers: bearer(access.apiKey) }
  return {
    kind: 'signed',
    sign: (request, now) => awsSignature(request, { ...access, region, service: 'bedrock' }, now),
  }
}

function zhipuCredentials(key: string): Credentials | SetupProblem {
  if (!/^[\w-]+\.[\w-]+$/.test(key)) return { problem: 'API key must have the form id.secret' }
  return { kind: 'signed', sign: (_, now) => bearer(zhipuToken(key, now)) }
}

function verbatim(key: string): Credentials | SetupProblem {
  if (key === '') return { problem: 'API key is required' }
  if (!/^[\u0020-\u007e]+$/.test(key)) return { problem: 'API key may contain only printable ASCII characters' }
  return { kind: 'fixed', headers: ['authorization', key] }
}

const bearer = (key: string): HeaderList => ['authorization', `Bearer ${key}`]

function fixed(key: string, headers: (word: string) => HeaderList): Credentials | SetupProblem {
  if (key === '') return { problem: 'API key is required' }
  // White space or control characters could inject headers.
  if (!/^[\u0021-\u007e]+$/.test(key)) return { problem: 'API key may contain only printable ASCII characters' }
  return { kind: 'fixed', headers: headers(key) }
}

const SIGN_IN = 'https://login.microsoftonline.com'
const OPENAI_SCOPE = 'https://cognitiveservices.azure.com/.default'
const FOUNDRY_SCOPE = 'https://ai.azure.com/.default'

/** Tokens of a Microsoft Entra application, from a key written `tenant|client_id|client_secret`. */
function entraCredentials(key: string, host: string): Credentials | SetupProblem {
  const [tenant = '', clientId = '', secret = ''] = key.split('|')
  // The tenant becomes part of a path.
  if (!/^[\w.-]{1,100}$/.test(tenant) || /^\.+$/.test(tenant)) return { problem: 'API key must begin with a tenant id' }
  const address = new URL(`${SIGN_IN}/${tenant}/oauth2/v2.0/token`)
  const scope = host.endsWith('.services.ai.azure.com') ? FOUNDRY_SCOPE : OPENAI_SCOPE
  const fields = { client_id: clientId, client_secret: secret, scope, grant_type: 'client_credentials' }
  return {
    kind: 'token',
    cacheKey: digestOf('entra', key, scope),
    request: () => formRequest(address, fields),
    read: readTokenReply,
    headers: (token) => ['authorization', `Bearer ${token}`],
  }
}

const LIFE_MS = 3 * 60_000

/**
 * A token that Zhipu accepts instead of the key, so that the key's secret half is never sent: `api_key`, `exp` and `timestamp` in
 * ms, signed with the second half of a key written `id.secret`. `now` in unix ms.
 */
export function zhipuToken(key: string, now: number, life = LIFE_MS): string {
  const [id = '', secret = ''] = key.split('.')
  return hs256({ sign_type: 'SIGN' }, { api_key: id, exp: now + life, timestamp: now }, secret)
}
