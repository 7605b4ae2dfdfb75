import type { Refusal } from '@sluice/contract/errors'
import { type CallTranslation, isInexpressible } from '@sluice/dialects/canon/codec'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import { type AnswerReader, JSON_CALL } from '../calls/asked.ts'
import { bodyOf, inexpressible, type Rendition, type Source, type Towards } from './rendition.ts'

/** A call of OpenAI's shape at a provider that has the same thing under another form. */
export function convert(source: Source, { way, model }: Towards, translation: CallTranslation): Rendition | Refusal {
  const encoded = translation.encode(source.light().json, model)
  if (isInexpressible(encoded)) return inexpressible(encoded)
  return {
    body: bodyOf(source.light(), way, encoded, false),
    headers: [...JSON_CALL, ...(encoded.headers ?? [])],
    stream: false,
    reader: new ConvertedReader(source, translation),
    losses: encoded.losses,
  }
}

class ConvertedReader implements AnswerReader {
  private readonly source: Source
  private readonly translation: CallTranslation

  constructor(source: Source, translation: CallTranslation) {
    this.source = source
    this.translation = translation
  }

  openStream(): never {
    throw new Error('a converted call never streams')
  }

  readAnswer(body: Buffer): ReturnType<AnswerReader['readAnswer']> {
    const reply = asObject(parseJson(body.toString()))
    if (reply === undefined) return { invalid: 'it is no JSON object' }
    const decoded = this.translation.decode(reply, this.source.light().json)
    if ('invalid' in decoded || 'follow' in decoded) return decoded
    const { usage, error, file } = decoded
    if (file !== undefined) {
      return { usage, error, delivered: undefined, body: Buffer.from(file.bytes), contentType: file.contentType }
    }
    return { usage, error, delivered: undefined, body: Buffer.from(JSON.stringify(decoded.reply)) }
  }

  asEvents(body: Buffer): Uint8Array {
    return this.source.asked.asEvents(body)
  }
}
