import { createHash, createHmac } from 'node:crypto'
import type { AwsAccess } from './aws-key.ts'
import type { HeaderList, SignableRequest } from './credentials.ts'

export interface AwsScope extends AwsAccess {
  readonly region: string
  readonly service: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
/** Signed if present, besides all `x-amz-` headers. */
const SIGNED = new Set(['content-type', 'host'])

/** Only S3 signs the path as sent, and takes the body's digest from a header. */
const S3 = 's3'
const BODY_DIGEST = 'x-amz-content-sha256'

/**
 * The headers that sign a request with Signature Version 4. `now` in unix ms; the signature is valid for five minutes. A request to
 * S3 has the header `x-amz-content-sha256`, which is signed in place of the body. Source: "Create a signed AWS API request", AWS
 * Identity and Access Management.
 */
export function awsSignature(request: SignableRequest, scope: AwsScope, now: number): HeaderList {
  const at = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const added = ['x-amz-date', at, ...(scope.token === undefined ? [] : ['x-amz-security-token', scope.token])]
  const headers = signedHeaders(['host', new URL(request.origin).host, ...request.headers, ...added])
  const names = headers.map(([name]) => name).join(';')
  const [path, query] = splitOnce(request.path, '?')
  const canonical = [
    request.method,
    scope.service === S3 ? path : path.split('/').map(encode).join('/'),
    canonicalQuery(query),
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    (scope.service === S3 ? headers.find(([name]) => name === BODY_DIGEST)?.[1] : undefined) ?? sha256(request.body),
  ].join('\n')
  const day = at.slice(0, 8)
  const place = `${day}/${scope.region}/${scope.service}/aws4_request`
  const signature = createHmac('sha256', awsSigningKey(scope, day))
    .update([ALGORITHM, at, place, sha256(canonical)].join('\n'))
    .digest('hex')
  const authorization = `${ALGORITHM} Credential=${scope.id}/${place}, SignedHeaders=${names}, Signature=${signature}`
  return [...added, 'authorization', authorization]
}

/** The key for all signatures of a day, as `20150830`. */
export function awsSigningKey({ secret, region, service }: AwsScope, day: string): Buffer {
  return [day, region, service, 'aws4_request'].reduce<Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  )
}

function signedHeaders(list: HeaderList): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  for (let i = 0; i + 1 < list.length; i += 2) {
    const [name = '', value = ''] = [list[i]?.toLowerCase(), list[i + 1]]
    if (SIGNED.has(name) || name.startsWith('x-amz-')) found.push([name, value.trim().replace(/ +/g, ' ')])
  }
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function canonicalQuery(query: string): string {
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return pairs.toSorted().join('&')
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex')

function splitOnce(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
