import { createHash, createHmac } from 'node:crypto'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { Credentials, HeaderList, SignableRequest } from './credentials.ts'

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

interface TencentCall {
  readonly host: string
  readonly service: string
  /** Alternating names (lower case) and values to sign: `content-type` and others, without the host. */
  readonly headers: HeaderList
  readonly body: Uint8Array | string
}

const ALGORITHM = 'TC3-HMAC-SHA256'

/**
 * The `authorization` of a POST to `/` at Tencent Cloud: TC3-HMAC-SHA256. `seconds` is the unix time in `x-tc-timestamp`. Source:
 * "Signature v3" in Tencent Cloud's API documents.
 */
export function tencentSignature(
  { host, service, headers, body }: TencentCall,
  { id, secret }: { readonly id: string; readonly secret: string },
  seconds: number,
): string {
  const list: (readonly [string, string])[] = [['host', host]]
  for (let i = 0; i + 1 < headers.length; i += 2) list.push([headers[i] ?? '', headers[i + 1] ?? ''])
  const sorted = list.toSorted(([a], [b]) => (a < b ? -1 : 1))
  const names = sorted.map(([name]) => name).join(';')
  const lines = sorted.map(([name, value]) => `${name}:${value.trim().toLowerCase()}`)
  const canonical = ['POST', '/', '', ...lines, '', names, sha256(body)].join('\n')
  const day = new Date(seconds * 1_000).toISOString().slice(0, 10)
  const scope = `${day}/${service}/tc3_request`
  const key = [day, service, 'tc3_request'].reduce<Buffer>(
    (chain, part) => createHmac('sha256', chain).update(part).digest(),
    Buffer.from(`TC3${secret}`),
  )
  const signature = createHmac('sha256', key)
    .update([ALGORITHM, String(seconds), scope, sha256(canonical)].join('\n'))
    .digest('hex')
  return `${ALGORITHM} Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex')
