import type { AnswerContext, AnswerEncoder, EncodedEnd } from '../canon/codec.ts'
import type { ContentEvent, FinishEvent, FinishReason, StartEvent } from '../canon/events.ts'
import type { CanonReply } from '../canon/reply.ts'
import { doneEvent } from '../canon/upstream-error.ts'
import type { JsonObject } from '../json-value.ts'
import { encodeUsage } from '../openai-chat/encode-usage.ts'
import { encodeFinish } from '../openai-chat/finish.ts'
import type { TokenCounts } from '../token-counts.ts'

/** A chunk looks like a reply here: `text_completion`. */
export function openCompletionEncoder(context: AnswerContext): AnswerEncoder {
  const utf8 = new TextEncoder()
  const written = (message: JsonObject) => utf8.encode(`data: ${JSON.stringify(message)}\n\n`)
  const chunk = (text: string, reason?: FinishReason) =>
    written({ ...headOf(context), choices: [choiceOf(text, reason)] })
  return {
    push(event: StartEvent | ContentEvent): readonly Uint8Array[] {
      return event.type === 'text' || event.type === 'refusal' ? [chunk(event.delta)] : []
    },
    finish({ reason }: FinishEvent, usage: TokenCounts | undefined): EncodedEnd {
      const encoded =
        context.wantsUsage && usage !== undefined
          ? [written({ ...headOf(context), choices: [], usage: encodeUsage(usage) })]
          : []
      return { forward: [chunk('', reason), ...encoded], terminal: doneEvent() }
    },
  }
}

export function encodeReply({ blocks, finish, usage }: CanonReply, context: AnswerContext): JsonObject {
  const texts = blocks.map((block) => (block.kind === 'text' || block.kind === 'refusal' ? block.text : ''))
  return {
    ...headOf(context),
    choices: [choiceOf(texts.join(''), finish?.reason ?? 'stop')],
    ...(usage?.counts === undefined ? {} : { usage: encodeUsage(usage.counts) }),
  }
}

function headOf({ idSeed, created, request }: AnswerContext): JsonObject {
  return { id: `cmpl-${idSeed}`, object: 'text_completion', created, model: request.model }
}

/** No tools can be called here, so an answer that wanted to has just stopped. */
function choiceOf(text: string, reason: FinishReason | undefined): JsonObject {
  const finish = reason === undefined ? null : encodeFinish(reason === 'tool-calls' ? 'stop' : reason, false)
  return { text, index: 0, logprobs: null, finish_reason: finish }
}
