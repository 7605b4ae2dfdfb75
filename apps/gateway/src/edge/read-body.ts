import type { IncomingMessage } from 'node:http'
import type { Refusal } from '@sluice/contract/errors'

export interface BodyLimits {
  /** Bytes of one body. */
  readonly bytes: number
  /** Milliseconds until it must be complete. */
  readonly timeoutMs: number
}

/** Bytes of request bodies held by this process, with a ceiling. */
export interface BodyMemory {
  held: number
  readonly ceiling: number
}

export type BodyResult =
  | { readonly body: Buffer; readonly refusal?: never }
  /** Without a refusal the client left before its body was complete: nobody is there to answer. */
  | { readonly body?: never; readonly refusal: Refusal | undefined }

/**
 * Collects a request body. The memory it takes is booked in `memory` until `release` is called; declared lengths are
 * refused before the first byte is read.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits, memory: BodyMemory): Promise<BodyResult> {
  const encoding = request.headers['content-encoding']
  // Names of codings are written in any case (RFC 9110, section 8.4.1).
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    return Promise.resolve({ refusal: { code: 'unsupported_encoding', params: { got: encoding.slice(0, 40) } } })
  }
  const refusal = roomFor(Number(request.headers['content-length'] ?? 0), limits, memory)
  if (refusal !== undefined) return Promise.resolve({ refusal })
  return new Promise((resolve) => collect(request, limits, memory, resolve))
}

/** Why a body of this length cannot be had now. */
export function roomFor(length: number, limits: BodyLimits, memory: BodyMemory): Refusal | undefined {
  if (length > limits.bytes) return tooLarge(limits)
  return memory.held + length > memory.ceiling ? overloaded(memory) : undefined
}

function collect(
  request: IncomingMessage,
  limits: BodyLimits,
  memory: BodyMemory,
  resolve: (result: BodyResult) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  const finish = (result: BodyResult) => {
    clearTimeout(timer)
    request.off('data', onData).off('end', onEnd).off('close', onClose)
    if (result.body === undefined) {
      memory.held -= size
      request.pause()
    }
    resolve(result)
  }
  const onData = (chunk: Buffer) => {
    size += chunk.length
    memory.held += chunk.length
    chunks.push(chunk)
    if (size > limits.bytes) finish({ refusal: tooLarge(limits) })
    else if (memory.held > memory.ceiling) finish({ refusal: overloaded(memory) })
  }
  const onEnd = () => {
    const [only] = chunks
    finish({ body: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size) })
  }
  const onClose = () => finish({ refusal: undefined })
  const timer = setTimeout(() => {
    finish({ refusal: { code: 'body_timeout', params: { seconds: limits.timeoutMs / 1_000 } } })
  }, limits.timeoutMs)
  request.on('data', onData).on('end', onEnd).on('close', onClose)
}

const tooLarge = (limits: BodyLimits): Refusal => ({ code: 'body_too_large', params: { limit: limits.bytes } })

const overloaded = (memory: BodyMemory): Refusal => ({
  code: 'overloaded',
  params: { limit: `${memory.ceiling} bytes of request bodies` },
  retryAfter: 1,
})
