import type { AnswerDecoder, Encoded, Inexpressible, Target, UpstreamCodec } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import { withTextForms } from '../canon/foreign-shapes.ts'
import { Losses } from '../canon/losses.ts'
import { lastQuestion } from '../canon/plain-talk.ts'
import type { CanonRequest } from '../canon/request.ts'
import { asObject, type JsonObject } from '../json-value.ts'

/** The model `deepl-{language}` translates only the user's last message, unstreamed. Source: DeepL's API, `POST /v2/translate`. */
export const deeplUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'deepl',
  encodeRequest,
  openDecoder,
  decodeReply,
})

function encodeRequest(request: CanonRequest, { model }: Target): Encoded | Inexpressible {
  const language = /^deepl-([a-z]{2}(?:-[a-z0-9]{2,4})?)$/i.exec(model)?.[1]
  if (language === undefined) return { field: 'model', rule: 'must be deepl- followed by a language, such as deepl-en' }
  const losses = new Losses()
  const text = lastQuestion(request, losses)
  if (typeof text !== 'string') return text
  return { body: { text: [text], target_lang: language.toUpperCase() }, losses: losses.list() }
}

function decodeReply(reply: JsonObject): readonly AnswerEvent[] {
  const list: unknown = reply['translations']
  const text = asObject(Array.isArray(list) ? list[0] : undefined)?.['text']
  if (typeof text !== 'string') return []
  return [
    { type: 'start', id: '', model: '' },
    { type: 'text', block: 0, delta: text },
    { type: 'block-end', block: 0 },
    { type: 'finish', reason: 'stop', raw: '' },
  ]
}

/** DeepL never streams. */
function openDecoder(): AnswerDecoder {
  return { push: () => [], end: () => [] }
}
