import { createHash, createHmac } from 'node:crypto'
import type { HeaderList } from './credentials.ts'

/** The call of Tencent Cloud's API to sign. */
export interface TencentCall {
  readonly host: string
  /** `hunyuan` */
  readonly service: string
  /** Flat names (lower case) and values: `content-type`, and whatever else must be signed, except the host. */
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
