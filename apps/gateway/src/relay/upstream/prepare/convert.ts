import type { Refusal } from '@sluice/contract/errors'
import { type CallTranslation, isInexpressible } from '@sluice/dialects/canon/codec'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import type { AnswerReader } from '../../calls/answer-reader.ts'
import { JSON_CALL } from '../../calls/parsed-call.ts'
import { bodyOf, inexpressible, type UpstreamBody, type Source, type Target } from './upstream-body.ts'

export function convert(
  source: Source,
  { adapter, model }: Target,
  translation: CallTranslation,
): UpstreamBody | Refusal {
  const encoded = translation.encode(source.light().json, model)
  if (isInexpressible(encoded)) return inexpressible(encoded)
  return {
    body: bodyOf(source.light(), adapter, encoded, false),
    headers: [...JSON_CALL, ...(encoded.headers ?? [])],
    stream: false,
    reader: new ConvertedReader(source, translation),
    losses: encoded.losses,
  }
}

class ConvertedReader implements AnswerReader {
  readonly #source: Source
  readonly #translation: CallTranslation

  constructor(source: Source, translation: CallTranslation) {
    this.#source = source
    this.#translation = translation
  }

  openStream(): never {
    throw new Error('a converted call never streams')
  }

  readAnswer(body: Buffer): ReturnType<AnswerReader['readAnswer']> {
    const reply = asObject(parseJson(body.toString()))
    if (reply === undefined) return { invalid: 'it is not a JSON object' }
    const decoded = this.#translation.decode(reply, this.#source.light().json)
    if ('invalid' in decoded || 'follow' in decoded) return decoded
    const { usage, error, file } = decoded
    if (file !== undefined) {
      return { usage, error, delivered: undefined, body: Buffer.from(file.bytes), contentType: file.contentType }
    }
    return { usage, error, delivered: undefined, body: Buffer.from(JSON.stringify(decoded.reply)) }
  }

  asEvents(body: Buffer): Uint8Array {
    return this.#source.parsed.asEvents(body)
  }
}
