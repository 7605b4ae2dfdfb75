import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { Credentials, SignableRequest } from './credentials.ts'
import { tencentSignature } from './tencent-signature.ts'

const ACTION = 'ChatCompletions'
const VERSION = '2023-09-01'
const REGION = 'ap-guangzhou'

/** Signs chats of Hunyuan's own interface with a key written `AppId|SecretId|SecretKey`. */
export function tencentCredentials({ key, config }: Pick<ChannelSetup, 'key' | 'config'>): Credentials | SetupProblem {
  const [, id = '', secret = '', ...rest] = key.trim().split('|')
  const isWhole = rest.length === 0 && [id, secret].every((part) => /^[\u0021-\u007e]+$/.test(part))
  if (!isWhole) return { problem: 'API key must have the form AppId|SecretId|SecretKey' }
  const { region = REGION } = config
  if (typeof region !== 'string' || !/^[a-z0-9-]{1,40}$/.test(region))
    return { problem: 'config.region must be a region' }
  return {
    kind: 'signed',
    sign: (request, now) => {
      const seconds = Math.floor(now / 1_000)
      const host = new URL(request.origin).host
      const headers = ['content-type', contentType(request), 'x-tc-action', ACTION]
      const call = { host, service: 'hunyuan', headers, body: request.body }
      const said = [
        'x-tc-action',
        ACTION,
        'x-tc-version',
        VERSION,
        'x-tc-timestamp',
        String(seconds),
        'x-tc-region',
        region,
      ]
      return [...said, 'authorization', tencentSignature(call, { id, secret }, seconds)]
    },
  }
}

function contentType({ headers }: SignableRequest): string {
  const at = headers.indexOf('content-type')
  return at < 0 ? 'application/json' : (headers[at + 1] ?? '')
}
