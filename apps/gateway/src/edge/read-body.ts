import type { IncomingMessage } from 'node:http'
import type { Refusal } from '@sluice/contract/errors'
import type { BodyClaim } from '../body-memory.ts'
import { GatheredBytes } from '../gathered-bytes.ts'
import { type PaceLimits, UploadPace } from '../upload-pace.ts'

export interface BodyLimits extends PaceLimits {
  /** Bytes of one body. */
  readonly bytes: number
}

export type BodyResult =
  | { readonly body: Buffer; readonly refusal?: never }
  /** Without a refusal the client left before its body was complete: nobody is there to answer. */
  | { readonly body?: never; readonly refusal: Refusal | undefined }

/**
 * Collects a request body. What it takes is held in `claim`: a declared length before the first byte is read, and an undeclared one as
 * it grows. A refused body holds nothing any more.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits, claim: BodyClaim): Promise<BodyResult> {
  const encoding = request.headers['content-encoding']
  // Names of codings are written in any case (RFC 9110, section 8.4.1).
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    return Promise.resolve({ refusal: { code: 'unsupported_encoding', params: { got: encoding.slice(0, 40) } } })
  }
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

/** Memory of its own for what comes of a body. */
interface ArrivingBody {
  add(piece: Buffer): Refusal | undefined
  /** Once all of it is there. */
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

/** A body whose length was told, which is checked by the parser: one piece of memory, filled as it comes. */
class DeclaredBody implements ArrivingBody {
  private readonly length: number
  private body: Buffer | undefined
  private size = 0

  constructor(length: number) {
    this.length = length
  }

  add(piece: Buffer): undefined {
    // Most bodies come in one piece.
    if (this.body === undefined && piece.length === this.length) this.body = piece
    else {
      this.body ??= Buffer.allocUnsafeSlow(this.length)
      this.body.set(piece, this.size)
    }
    this.size += piece.length
  }

  whole(): Buffer {
    return this.body ?? NOTHING
  }
}

class GrowingBody implements ArrivingBody {
  private readonly limits: BodyLimits
  private readonly claim: BodyClaim
  private readonly bytes = new GatheredBytes()

  constructor(limits: BodyLimits, claim: BodyClaim) {
    this.limits = limits
    this.claim = claim
  }

  add(piece: Buffer): Refusal | undefined {
    if (this.bytes.size + piece.length > this.limits.bytes) return tooLarge(this.limits)
    this.bytes.add(piece)
    return this.claim.hold(this.bytes.held)
  }

  whole(): Buffer | Refusal {
    const { size, held } = this.bytes
    // While it is put together it is there twice.
    const refusal = this.claim.hold(held + size)
    if (refusal !== undefined) return refusal
    const body = this.bytes.whole()
    this.claim.hold(Math.max(size, Math.min(held, body.buffer.byteLength)))
    return body
  }
}

const NOTHING = Buffer.alloc(0)

const tooLarge = (limits: BodyLimits): Refusal => ({ code: 'body_too_large', params: { limit: limits.bytes } })
