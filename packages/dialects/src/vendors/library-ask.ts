import type { AnswerDecoder, Encoded, Frame, Inexpressible, Target, UpstreamCodec } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import { withTextForms } from '../canon/foreign-shapes.ts'
import { Losses } from '../canon/losses.ts'
import { lastQuestion } from '../canon/plain-talk.ts'
import type { CanonRequest } from '../canon/request.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'

/**
 * AI Proxy's question to a library of documents: the last message is the question, the channel names the library. No usage is
 * reported. Source: `POST /api/library/ask` as the family's servers have always called it.
 */
export const libraryUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'library-ask',
  encodeRequest,
  openDecoder,
  decodeReply,
})

function encodeRequest(request: CanonRequest, { model, stream }: Target): Encoded | Inexpressible {
  const losses = new Losses()
  const query = lastQuestion(request, losses)
  if (typeof query !== 'string') return query
  return { body: { model, query, stream }, losses: losses.list() }
}

function decodeReply(reply: JsonObject): readonly AnswerEvent[] {
  if (reply['success'] === false) return [{ type: 'error', error: errorOf(reply) }]
  const answer = reply['answer']
  if (typeof answer !== 'string') return []
  const said = [...textEvents(answer), ...sourceEvents(reply['documents'])]
  return [...START, ...said, ...endOf(said.length > 0)]
}

const START: readonly AnswerEvent[] = [{ type: 'start', id: '', model: '' }]

function endOf(hasBlock: boolean): readonly AnswerEvent[] {
  return [...(hasBlock ? [{ type: 'block-end', block: 0 } as const] : []), { type: 'finish', reason: 'stop', raw: '' }]
}

/** One frame per piece of text; the last one has `finish`. */
function openDecoder(): AnswerDecoder {
  let state: 'new' | 'open' | 'over' = 'new'
  let hasBlock = false
  return {
    push({ data }: Frame) {
      const fields = asObject(parseJson(data))
      if (fields === undefined || state === 'over') return []
      if (fields['success'] === false) {
        state = 'over'
        return [{ type: 'error', error: errorOf(fields) }]
      }
      const start = state === 'new' ? START : []
      state = fields['finish'] === true ? 'over' : 'open'
      const text = textEvents(typeof fields['content'] === 'string' ? fields['content'] : '')
      const said = [...text, ...sourceEvents(fields['documents'])]
      hasBlock ||= said.length > 0
      return [...start, ...said, ...(fields['finish'] === true ? endOf(hasBlock) : [])]
    },
    end: () => [],
  }
}

const textEvents = (delta: string): readonly AnswerEvent[] => (delta === '' ? [] : [{ type: 'text', block: 0, delta }])

function sourceEvents(documents: unknown): readonly AnswerEvent[] {
  if (!Array.isArray(documents)) return []
  return documents.flatMap((document): readonly AnswerEvent[] => {
    const { url, title } = asObject(document) ?? {}
    if (typeof url !== 'string') return []
    return [{ type: 'citation', block: 0, citation: { url, ...(typeof title === 'string' ? { title } : {}) } }]
  })
}

function errorOf({ message, errCode }: JsonObject) {
  const code = typeof errCode === 'string' || typeof errCode === 'number' ? errCode : undefined
  const text = typeof message === 'string' ? message : ''
  return { message: text || 'The library reported an error.', type: undefined, code, param: undefined }
}
