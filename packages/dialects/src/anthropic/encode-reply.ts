import type { AnswerContext } from '../canon/codec.ts'
import type { FinishEvent } from '../canon/events.ts'
import type { CanonReply, ReplyBlock } from '../canon/reply.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { callBlock, callSignatureBlock, pictureText, redactedBlock, textBlock, thinkingBlock } from './answer-blocks.ts'
import { encodeCitation } from './citations.ts'
import { encodeUsage, estimatedUsage } from './encode-usage.ts'
import { encodeFinish } from './finish.ts'

/** A whole message; audio cannot be expressed. */
export function encodeReply(reply: CanonReply, context: AnswerContext): JsonObject {
  const { model, blocks, finish, usage } = reply
  return {
    ...messageHead(context, model),
    content: blocks.flatMap(blocksOf),
    ...encodeFinish(finish && afterRefusal(finish, blocks)),
    usage: usage?.counts === undefined ? estimatedUsage(context.promptEstimate) : encodeUsage(usage.counts),
  }
}

/** `model` is the one that answered, or '' if unknown. */
export function messageHead({ idSeed, request }: AnswerContext, model: string): JsonObject {
  return {
    id: `msg_${idSeed}`,
    type: 'message',
    role: 'assistant',
    diagnostics: null,
    model: model === '' ? request.model : model,
  }
}

/** A refusal in words becomes text with a stop reason. */
function afterRefusal(finish: FinishEvent, blocks: readonly ReplyBlock[]): FinishEvent {
  const isRefused = finish.reason === 'stop' && blocks.some(({ kind }) => kind === 'refusal')
  return isRefused ? { ...finish, reason: 'content-filter' } : finish
}

function blocksOf(block: ReplyBlock): readonly JsonObject[] {
  switch (block.kind) {
    case 'text':
      return [textBlock(block.text, block.citations.map(encodeCitation))]
    case 'refusal':
      return [textBlock(block.text)]
    case 'reasoning':
      if (block.signature?.redacted !== true) return [thinkingBlock(block.text, block.signature)]
      return [...(block.text === '' ? [] : [thinkingBlock(block.text, undefined)]), redactedBlock(block.signature)]
    case 'tool': {
      const { id, name, args, signature } = block
      const call = callBlock(id, name, inputOf(args))
      return signature === undefined ? [call] : [callSignatureBlock(id, signature), call]
    }
    case 'image':
      return [textBlock(pictureText(block.mime, block.data))]
    case 'opaque':
      return block.dialect === 'anthropic-messages' ? [block.value] : []
    case 'audio':
      return []
  }
}

/** Arguments that are not an object are passed on as the model wrote them. */
function inputOf(args: string): JsonObject {
  if (args.trim() === '') return {}
  return asObject(parseJson(args)) ?? { input: args }
}
