import { createHash } from 'node:crypto'
import { awsSignature } from '@sluice/providers/credentials/aws-signature'
import { StartProblem } from '../../environment/configured.ts'
import { createAddressGuard } from '../../outbound/address-guard.ts'
import type { FetchFault } from '../../outbound/guarded-fetch.ts'
import { BrokenReply, openStreamedClient, type StreamedReply } from '../../outbound/streamed-client.ts'
import { textOf } from './s3-replies.ts'

/** A bucket of a store with the API of Amazon S3, and its access key. */
export interface S3Access {
  /** `https://host[:port]`; the bucket is the first part of the path. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
}

export interface S3Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Key of the object; empty for the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: readonly string[]
  readonly body?: Uint8Array
  /** The call is made even after `stop`, because it cleans up. */
  readonly cleansUp?: true
}

export interface S3Reply {
  readonly headers: StreamedReply['headers']
  readonly text: string
}

export class S3Refusal extends Error {
  override readonly name = 'S3Refusal'
  readonly status: number
  /** `NoSuchKey`, or empty. */
  readonly code: string

  constructor(status: number, code: string) {
    super(`${status} ${code}`.trim())
    this.status = status
    this.code = code
  }
}

export interface S3Client {
  /** Retries a few times where that can help. Rejects with `S3Refusal`, or with `StartProblem` when the store is unavailable. */
  ask(request: S3Request): Promise<S3Reply>
  /** The content of an object. If the connection breaks, a new one continues at the same byte. */
  read(key: string): AsyncGenerator<Buffer>
  close(): Promise<void>
}

const TIMEOUTS = { connectTimeoutMs: 10_000, firstByteTimeoutMs: 120_000, idleTimeoutMs: 60_000 }
/** Time limit of one call with its body, unless the body is an object's content. */
const CALL_MS = 600_000
const REPLY_BYTES = 4 << 20
const TRIES = 5
const FIRST_PAUSE_MS = 500

export interface S3Running {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly pause: (ms: number) => Promise<unknown>
  /** Ends all calls, except for those that clean up. */
  readonly stop: AbortSignal
}

export function openS3Client(access: S3Access, running: S3Running): S3Client {
  return new BucketClient(access, running)
}

class BucketClient implements S3Client {
  readonly #access: S3Access
  readonly #running: S3Running
  // The operator's own environment names the store.
  readonly #client = openStreamedClient(createAddressGuard('allow'), TIMEOUTS, 2)

  constructor(access: S3Access, running: S3Running) {
    this.#access = access
    this.#running = running
  }

  ask(request: S3Request): Promise<S3Reply> {
    return this.#reply(
      request,
      () => AbortSignal.any([AbortSignal.timeout(CALL_MS), ...(request.cleansUp === true ? [] : [this.#running.stop])]),
      async (answer) => {
        const text = await textIn(answer)
        // Some calls report a failure in the body of a reply with a success status.
        const failed = text.includes('<Error>') ? textOf(text, 'Code') : undefined
        if (failed === 'InternalError' || failed === 'SlowDown') {
          throw new BrokenReply({ ok: false, fault: 'broken', reason: `it answered ${failed}` })
        }
        if (failed !== undefined) throw new S3Refusal(answer.status, failed)
        return { headers: answer.headers, text }
      },
    )
  }

  async *read(key: string): AsyncGenerator<Buffer> {
    let offset = 0
    let etag: string | undefined
    for (let breaks = 0; ; breaks += 1) {
      // If the object has been replaced meanwhile, its second half must not come from the new one.
      const going = etag === undefined ? [] : ['range', `bytes=${offset}-`, 'if-match', etag]
      const leaving = new AbortController()
      try {
        const request = { method: 'GET', key, headers: going } as const
        const answer = await this.#reply(
          request,
          () => AbortSignal.any([leaving.signal, this.#running.stop]),
          async (begun) => begun,
        )
        if (offset > 0 && answer.status !== 206) throw new S3Refusal(answer.status, 'no range')
        etag = answer.headers['etag'] ?? ''
        for await (const chunk of answer.body) {
          offset += chunk.length
          breaks = 0
          yield chunk
        }
        return
      } catch (error) {
        if (!(error instanceof BrokenReply)) throw error
        if (breaks >= TRIES)
          throw new StartProblem(`The store at ${this.#access.endpoint} broke the connection: ${error.message}.`)
        await this.#running.pause(FIRST_PAUSE_MS)
      } finally {
        leaving.abort()
      }
    }
  }

  async #reply<T>(
    request: S3Request,
    signal: () => AbortSignal,
    take: (reply: StreamedReply) => Promise<T>,
  ): Promise<T> {
    let problem = ''
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (this.#running.stop.aborted && request.cleansUp !== true) throw new StartProblem('It was stopped.')
      if (tries > 0) await this.#running.pause(FIRST_PAUSE_MS * 2 ** (tries - 1))
      const answer = await this.#send(request, signal())
      if (!answer.ok) {
        problem = answer.reason
        continue
      }
      try {
        if (answer.status >= 200 && answer.status < 300) return await take(answer)
        const code = textOf(await textIn(answer), 'Code') ?? ''
        if (answer.status < 500 && answer.status !== 429 && code !== 'RequestTimeout') {
          throw new S3Refusal(answer.status, code)
        }
        problem = `it answered ${answer.status} ${code}`.trim()
      } catch (error) {
        if (!(error instanceof BrokenReply)) throw error
        problem = error.fault.reason
      }
    }
    throw new StartProblem(`The store at ${this.#access.endpoint} failed ${TRIES} times: ${problem}.`)
  }

  async #send(request: S3Request, signal: AbortSignal): Promise<StreamedReply | FetchFault> {
    const { method, body } = request
    const path = `/${[this.#access.bucket, ...request.key.split('/')].map(encode).join('/')}${queryText(request.query)}`
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const headers = [...(request.headers ?? []), 'x-amz-content-sha256', digest]
    const signable = { method, origin: this.#access.endpoint, path, headers, body: new Uint8Array() }
    const scope = {
      id: this.#access.accessKey,
      secret: this.#access.secretKey,
      region: this.#access.region,
      service: 's3',
    }
    const signed = [...headers, ...awsSignature(signable, scope, this.#running.now())]
    return await this.#client.fetch({
      method,
      url: `${this.#access.endpoint}${path}`,
      headers: signed,
      signal,
      ...(body === undefined ? {} : { body }),
    })
  }

  close() {
    return this.#client.close()
  }
}

async function textIn({ body }: StreamedReply): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > REPLY_BYTES) throw new StartProblem('The store’s reply is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function queryText(query: S3Request['query'] = {}): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Percent-encodes all but the unreserved characters of RFC 3986, as the signature requires. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
