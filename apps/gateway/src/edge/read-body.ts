import type { IncomingMessage } from 'node:http'
import type { Refusal } from '@sluice/contract/errors'
import { GatheredBytes } from '../outbound/gathered-bytes.ts'
import { codingOf } from './content-coding.ts'
import { decodedBody } from './decoded-body.ts'
import type { MemoryClaim } from './upgrade.ts'
import { type PaceLimits, UploadPace } from './upload-pace.ts'

export interface BodyLimits extends PaceLimits {
  readonly bytes: number
}

export type BodyResult =
  | { readonly body: Buffer; readonly refusal?: never }
  /** Without a refusal, the client left before its body was complete, so nobody is waiting for an answer. */
  | { readonly body?: never; readonly refusal: Refusal | undefined }

/**
 * Collects a request body. Its memory counts in `claim`: a declared length before the first byte is read, an undeclared one as it
 * grows. A compressed body is decoded once it is complete. A refused body holds no memory.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits, claim: MemoryClaim): Promise<BodyResult> {
  const encoding = request.headers['content-encoding']
  const coding = codingOf(encoding)
  if (coding === undefined) {
    return { refusal: { code: 'unsupported_encoding', params: { got: encoding?.slice(0, 40) ?? '' } } }
  }
  const sent = await readSent(request, limits, claim)
  if (coding === 'none' || sent.body === undefined || sent.body.length === 0) return sent
  const body = await decodedBody(sent.body, coding, limits.bytes, claim)
  if (Buffer.isBuffer(body)) return { body }
  claim.hold(0)
  return { refusal: body }
}

/** The bytes as sent, before decoding. */
function readSent(request: IncomingMessage, limits: BodyLimits, claim: MemoryClaim): Promise<BodyResult> {
  const declared = request.headers['content-length']
  const length = Number(declared ?? 0)
  const refusal = length > limits.bytes ? tooLarge(limits) : claim.hold(length)
  if (refusal !== undefined) return Promise.resolve({ refusal })
  return new Promise((resolve) => {
    const body = declared === undefined ? new GrowingBody(limits, claim) : new DeclaredBody(length)
    collect(request, limits, body, (result) => {
      if (result.body === undefined) claim.hold(0)
      resolve(result)
    })
  })
}

interface ArrivingBody {
  add(piece: Buffer): Refusal | undefined
  whole(): Buffer | Refusal
}

function collect(
  request: IncomingMessage,
  limits: BodyLimits,
  arriving: ArrivingBody,
  resolve: (result: BodyResult) => void,
): void {
  const finish = (result: BodyResult) => {
    pace.stop()
    request.off('data', onData).off('end', onEnd).off('close', onClose)
    if (result.body === undefined) request.pause()
    resolve(result)
  }
  const onData = (piece: Buffer) => {
    pace.add(piece.length)
    const refusal = arriving.add(piece)
    if (refusal !== undefined) finish({ refusal })
  }
  const onEnd = () => {
    const body = arriving.whole()
    finish(Buffer.isBuffer(body) ? { body } : { refusal: body })
  }
  const onClose = () => finish({ refusal: undefined })
  const pace = new UploadPace(limits, (refusal) => finish({ refusal }))
  request.on('data', onData).on('end', onEnd).on('close', onClose)
}

/** A body of declared length, which the parser checks. Its memory is allocated once and filled as the body arrives. */
class DeclaredBody implements ArrivingBody {
  readonly #length: number
  #body: Buffer | undefined
  #size = 0

  constructor(length: number) {
    this.#length = length
  }

  add(piece: Buffer): undefined {
    // Most bodies come in one piece.
    if (this.#body === undefined && piece.length === this.#length) this.#body = piece
    else {
      this.#body ??= Buffer.allocUnsafeSlow(this.#length)
      this.#body.set(piece, this.#size)
    }
    this.#size += piece.length
  }

  whole(): Buffer {
    return this.#body ?? NOTHING
  }
}

class GrowingBody implements ArrivingBody {
  readonly #limits: BodyLimits
  readonly #claim: MemoryClaim
  readonly #bytes = new GatheredBytes()

  constructor(limits: BodyLimits, claim: MemoryClaim) {
    this.#limits = limits
    this.#claim = claim
  }

  add(piece: Buffer): Refusal | undefined {
    if (this.#bytes.size + piece.length > this.#limits.bytes) return tooLarge(this.#limits)
    this.#bytes.add(piece)
    return this.#claim.hold(this.#bytes.held)
  }

  whole(): Buffer | Refusal {
    const { size, held } = this.#bytes
    // During assembly the body is in memory twice.
    const refusal = this.#claim.hold(held + size)
    if (refusal !== undefined) return refusal
    const body = this.#bytes.whole()
    this.#claim.hold(Math.max(size, Math.min(held, body.buffer.byteLength)))
    return body
  }
}

const NOTHING = Buffer.alloc(0)

const tooLarge = (limits: BodyLimits): Refusal => ({ code: 'body_too_large', params: { limit: limits.bytes } })
