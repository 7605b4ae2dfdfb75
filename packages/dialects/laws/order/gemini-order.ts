import { asObject } from '../../src/json-value.ts'
import { messagesOf, objects, type StreamOrder } from './stream-order.ts'

/** Pieces of one answer, each with its candidate, whole calls, the finish in the last message. */
export const geminiOrder: StreamOrder = (frames) => {
  const messages = messagesOf(frames)
  if (messages.length !== frames.length || messages.length === 0) return 'a message is not an object'
  for (const { at, body } of messages) {
    const [candidate] = objects(body['candidates'])
    if (candidate === undefined) return `message ${at}: no candidate`
    const isLast = at === messages.length - 1
    if ((typeof candidate['finishReason'] === 'string') !== isLast)
      return `message ${at}: the finish is said in the last one`
    if (body['responseId'] !== messages[0]?.body['responseId']) return `message ${at}: another responseId`
    const parts = objects(asObject(candidate['content'])?.['parts'])
    // One such message makes Google's SDKs for Python, JavaScript and Go drop the turn from the history.
    if (!parts.some((part) => Object.keys(part).length > 0)) return `message ${at}: a content without parts`
    for (const part of parts) {
      const call = part['functionCall']
      const isWhole = call === undefined || asObject(asObject(call)?.['args'] ?? {}) !== undefined
      if (!isWhole) return `message ${at}: a call without arguments that are an object`
    }
  }
  return undefined
}
