import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { awsSignature } from '@sluice/providers/credentials/aws-signature'

export interface S3Seen {
  readonly method: string
  /** Object key; empty for the bucket. */
  readonly key: string
  readonly query: URLSearchParams
}

/**
 * A fault of one request: an error of the store; `cut` breaks the connection, for an object in the middle of its content; `lost`
 * does the work and breaks the connection before the reply; `flip` sends or stores one wrong byte.
 */
export type S3Fault = { readonly status: number; readonly code: string } | 'cut' | 'lost' | 'flip'

/** A store with the part of Amazon S3's API that backups need. It refuses what Amazon S3 would refuse. */
export interface S3Server {
  readonly url: string
  readonly objects: ReadonlyMap<string, Buffer>
  /** Keys of uploads that were neither completed nor aborted. */
  readonly uploads: readonly string[]
  readonly seen: readonly S3Seen[]
  /** Selects the fault of each later request. */
  fail(decide: (request: S3Seen) => S3Fault | undefined): void
  put(key: string, body: Buffer): void
  /** Begins an upload, as a killed process leaves it; `begun` in unix milliseconds. */
  begin(key: string, begun: number): void
  close(): Promise<void>
}

export interface S3ServerOptions {
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  readonly pageSize?: number
}

interface Upload {
  readonly key: string
  readonly begun: number
  readonly parts: Map<number, Part>
}

interface Part {
  readonly body: Buffer
  readonly etag: string
  readonly sha256: string
}

class Refused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** For every part but the last. */
const MIN_PART_BYTES = 5 << 20

/** Starts the store on a free loopback port. Verifies signatures and checksums according to "Amazon S3 API Reference". */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const store = new Store(options)
  let decide: (request: S3Seen) => S3Fault | undefined = () => undefined
  const server = createServer((incoming, reply) => {
    void store
      .respond(incoming, reply, (request) => decide(request))
      .catch((error: unknown) => {
        if (!(error instanceof Refused)) return reply.writeHead(500).end(`<Error><Code>${String(error)}</Code></Error>`)
        reply.writeHead(error.status, { 'content-type': 'application/xml' })
        return reply.end(`<Error><Code>${error.code}</Code></Error>`)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: store.objects,
    get uploads() {
      return [...store.uploads.values()].map(({ key }) => key)
    },
    seen: store.seen,
    fail: (next) => {
      decide = next
    },
    put: (key, body) => void store.objects.set(key, body),
    begin: (key, begun) => void store.uploads.set(`killed-${key}`, { key, begun, parts: new Map() }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

class Store {
  readonly objects = new Map<string, Buffer>()
  readonly uploads = new Map<string, Upload>()
  readonly seen: S3Seen[] = []
  readonly #options: S3ServerOptions

  constructor(options: S3ServerOptions) {
    this.#options = options
  }

  async respond(
    incoming: IncomingMessage,
    reply: ServerResponse,
    decide: (request: S3Seen) => S3Fault | undefined,
  ): Promise<void> {
    const body = Buffer.concat(await incoming.toArray())
    const url = new URL(incoming.url ?? '', 'http://store')
    const [, bucket = '', ...rest] = url.pathname.split('/')
    const request = {
      method: incoming.method ?? '',
      key: decodeURIComponent(rest.join('/')),
      query: url.searchParams,
    }
    this.seen.push(request)
    const fault = decide(request)
    if (fault === 'cut' && !(request.method === 'GET' && this.objects.has(request.key))) return void reply.destroy()
    if (typeof fault === 'object') throw new Refused(fault.status, fault.code)
    this.#authenticate(incoming, body)
    if (bucket !== this.#options.bucket) throw new Refused(404, 'NoSuchBucket')
    const sent = fault === 'flip' && request.method === 'PUT' ? flipped(body) : body
    expectChecksum(incoming, sent)
    this.#answer(request, sent, incoming, fault === 'lost' ? closed(reply) : reply, fault)
  }

  #authenticate(incoming: IncomingMessage, body: Buffer): void {
    const { accessKey, secretKey, region } = this.#options
    const header = (name: string): string => String(incoming.headers[name] ?? '')
    const given = header('authorization')
    if (!given.includes(`Credential=${accessKey}/`)) throw new Refused(403, 'InvalidAccessKeyId')
    if (!given.includes(`/${region}/s3/aws4_request`)) throw new Refused(400, 'AuthorizationHeaderMalformed')
    if (header('x-amz-content-sha256') !== createHash('sha256').update(body).digest('hex')) {
      throw new Refused(400, 'XAmzContentSHA256Mismatch')
    }
    const at = Date.parse(
      header('x-amz-date').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
    )
    if (!(Math.abs(at - Date.now()) < 15 * 60_000)) throw new Refused(403, 'RequestTimeTooSkewed')
    const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
      name === 'host' || name === 'x-amz-date' ? [] : [name, String(value)],
    )
    const signed = awsSignature(
      {
        method: incoming.method as 'GET',
        origin: `http://${header('host')}`,
        path: incoming.url ?? '',
        headers,
        body: new Uint8Array(),
      },
      { id: accessKey, secret: secretKey, region, service: 's3' },
      at,
    )
    if (signed.at(-1) !== given) throw new Refused(403, 'SignatureDoesNotMatch')
  }

  #answer(
    { method, key, query }: S3Seen,
    body: Buffer,
    incoming: IncomingMessage,
    reply: ServerResponse,
    fault: S3Fault | undefined,
  ): void {
    const uploadId = query.get('uploadId')
    const xml = (text: string): void => void reply.writeHead(200, { 'content-type': 'application/xml' }).end(text)
    if (method === 'GET' && key === '' && query.has('uploads')) return xml(this.#listUploads(query.get('prefix') ?? ''))
    if (method === 'GET' && key === '') return xml(this.#list(query))
    if (method === 'GET') return this.#send(key, incoming, reply, fault)
    if (method === 'POST' && query.has('uploads')) {
      const id = `upload&${this.uploads.size + this.seen.length}`
      this.uploads.set(id, { key, begun: Date.now(), parts: new Map() })
      return xml(`<InitiateMultipartUploadResult><UploadId>${xmlText(id)}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (method === 'PUT' && uploadId !== null) {
      const part = partOf(body)
      this.#upload(uploadId).parts.set(Number(query.get('partNumber')), part)
      return void reply.writeHead(200, { etag: part.etag }).end()
    }
    if (method === 'POST' && uploadId !== null) {
      this.objects.set(key, joined(this.#upload(uploadId), body.toString()))
      this.uploads.delete(uploadId)
      return xml(`<CompleteMultipartUploadResult><Key>${xmlText(key)}</Key></CompleteMultipartUploadResult>`)
    }
    if (method === 'DELETE' && uploadId !== null) {
      this.#upload(uploadId)
      this.uploads.delete(uploadId)
      return void reply.writeHead(204).end()
    }
    if (method === 'DELETE') {
      this.objects.delete(key)
      return void reply.writeHead(204).end()
    }
    if (method === 'PUT') {
      this.objects.set(key, body)
      return void reply.writeHead(200, { etag: partOf(body).etag }).end()
    }
    throw new Refused(501, 'NotImplemented')
  }

  #upload(id: string): Upload {
    const upload = this.uploads.get(id)
    if (upload === undefined) throw new Refused(404, 'NoSuchUpload')
    return upload
  }

  #list(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? ''
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).toSorted()
    const from = Number(query.get('continuation-token') ?? 0)
    const to = from + (this.#options.pageSize ?? 1_000)
    const entries = keys
      .slice(from, to)
      .map((key) => `<Contents><Key>${xmlText(key)}</Key><Size>${this.objects.get(key)?.length}</Size></Contents>`)
    const more = to < keys.length
    const next = more ? `<NextContinuationToken>${to}</NextContinuationToken>` : ''
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`
  }

  #listUploads(prefix: string): string {
    const entries = [...this.uploads].filter(([, { key }]) => key.startsWith(prefix))
    const texts = entries.map(
      ([id, { key, begun }]) =>
        `<Upload><Key>${xmlText(key)}</Key><UploadId>${xmlText(id)}</UploadId><Initiated>${new Date(begun).toISOString()}</Initiated></Upload>`,
    )
    return `<ListMultipartUploadsResult>${texts.join('')}</ListMultipartUploadsResult>`
  }

  #send(key: string, incoming: IncomingMessage, reply: ServerResponse, fault: S3Fault | undefined): void {
    const object = this.objects.get(key)
    if (object === undefined) throw new Refused(404, 'NoSuchKey')
    const { etag } = partOf(object)
    const wanted = incoming.headers['if-match']
    if (wanted !== undefined && wanted !== etag) throw new Refused(412, 'PreconditionFailed')
    const from = Number(/^bytes=(\d+)-$/.exec(incoming.headers.range ?? '')?.[1] ?? 0)
    const rest = object.subarray(from)
    const body = fault === 'flip' ? flipped(rest) : rest
    reply.writeHead(incoming.headers.range === undefined ? 200 : 206, { etag, 'content-length': String(body.length) })
    if (fault !== 'cut') return void reply.end(body)
    reply.write(body.subarray(0, Math.ceil(body.length / 2)), () => reply.destroy())
  }
}

/** The reply to a request whose work is done but whose connection is closed. */
function closed(reply: ServerResponse): ServerResponse {
  reply.destroy()
  return reply
}

function expectChecksum(incoming: IncomingMessage, body: Buffer): void {
  const given = incoming.headers['x-amz-checksum-sha256']
  if (given !== undefined && given !== partOf(body).sha256) throw new Refused(400, 'BadDigest')
}

function partOf(body: Buffer): Part {
  const etag = `"${createHash('md5').update(body).digest('hex')}"`
  return { body, etag, sha256: createHash('sha256').update(body).digest('base64') }
}

function joined({ parts }: Upload, request: string): Buffer {
  const named = [...request.matchAll(/<Part>(.*?)<\/Part>/g)].map(([, part = '']) => {
    const field = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(part)?.[1]?.replaceAll('&quot;', '"')
    return { number: Number(field('PartNumber')), etag: field('ETag'), sha256: field('ChecksumSHA256') }
  })
  const bodies = named.map(({ number, etag, sha256 }, at) => {
    const part = parts.get(number)
    if (part === undefined || part.etag !== etag || part.sha256 !== sha256) throw new Refused(400, 'InvalidPart')
    if (at > 0 && number <= (named[at - 1]?.number ?? 0)) throw new Refused(400, 'InvalidPartOrder')
    if (at < named.length - 1 && part.body.length < MIN_PART_BYTES) throw new Refused(400, 'EntityTooSmall')
    return part.body
  })
  if (bodies.length === 0) throw new Refused(400, 'MalformedXML')
  return Buffer.concat(bodies)
}

function flipped(body: Buffer): Buffer {
  const copy = Buffer.from(body)
  copy[copy.length >> 1] = (copy[copy.length >> 1] ?? 0) ^ 1
  return copy
}

const xmlText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
