import type { AnswerContext } from '../canon/codec.ts'
import type { CanonReply, ReplyBlock } from '../canon/reply.ts'
import type { JsonObject } from '../json-value.ts'
import { namesOf } from './encode-tools.ts'
import {
  callItem,
  callSignatureItem,
  imageItem,
  messageItem,
  reasoningItem,
  refusalPart,
  textPart,
} from './output-items.ts'
import { ResponseObject } from './response-object.ts'

/** A whole response; audio cannot be expressed. */
export function encodeReply(reply: CanonReply, context: AnswerContext): JsonObject {
  const response = new ResponseObject(context, reply.model)
  return response.ended(outputOf(reply.blocks, context), reply.finish?.reason, reply.usage?.counts)
}

function outputOf(blocks: readonly ReplyBlock[], { idSeed: seed, request }: AnswerContext): readonly JsonObject[] {
  const output: JsonObject[] = []
  /** Parts of the message that is being built. */
  let parts: JsonObject[] | undefined
  const id = (prefix: string) => `${prefix}_${seed}_${output.length}`
  for (const block of blocks) {
    if (block.kind === 'text' || block.kind === 'refusal') {
      if (parts === undefined) {
        parts = []
        output.push(messageItem(id('msg'), 'completed', parts))
      }
      parts.push(block.kind === 'text' ? textPart(block.text, block.citations) : refusalPart(block.text))
      continue
    }
    parts = undefined
    switch (block.kind) {
      case 'reasoning':
        output.push(reasoningItem(id('rs'), block.text, block.signature))
        break
      case 'tool':
        if (block.signature !== undefined) output.push(callSignatureItem(id('rs'), block.id, block.signature))
        output.push(
          callItem(
            id(block.isCustom ? 'ctc' : 'fc'),
            'completed',
            { ...block, ...namesOf(block.name, request.tools) },
            argumentsOf(block),
          ),
        )
        break
      case 'image':
        output.push(imageItem(id('ig'), block.mime, block.data))
        break
      case 'opaque':
        if (block.dialect === 'openai-responses') output.push(block.value)
        break
      case 'audio':
    }
  }
  return output
}

/** Clients parse the arguments of functions. */
function argumentsOf({ args, isCustom }: Extract<ReplyBlock, { kind: 'tool' }>): string {
  return args === '' && !isCustom ? '{}' : args
}
