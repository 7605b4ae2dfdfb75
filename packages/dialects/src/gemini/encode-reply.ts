import type { AnswerContext } from '../canon/codec.ts'
import type { CanonReply, ReplyBlock } from '../canon/reply.ts'
import type { JsonObject } from '../json-value.ts'
import { tailOf } from './encode-answer.ts'
import { callPart, groundingOf, saying, signaturePart } from './encode-parts.ts'
import { encodeGeminiUsage } from './encode-usage.ts'
import { finishWord } from './finish.ts'

export function encodeGeminiReply(reply: CanonReply, context: AnswerContext): JsonObject {
  const { blocks, finish, usage } = reply
  const citations = blocks.flatMap((block) => (block.kind === 'text' ? block.citations : []))
  const candidate = {
    content: { parts: saying(blocks.flatMap(partsOf)), role: 'model' },
    ...(finish === undefined ? {} : { finishReason: finishWord(finish) }),
    index: 0,
    ...groundingOf(citations),
  }
  return {
    candidates: [candidate],
    ...(usage?.counts === undefined ? {} : { usageMetadata: encodeGeminiUsage(usage.counts) }),
    ...tailOf(reply, context),
  }
}

function partsOf(block: ReplyBlock): readonly JsonObject[] {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return block.text === '' ? [] : [{ text: block.text }]
    case 'reasoning': {
      const { text, signature } = block
      const thought = text === '' ? [] : [{ text, thought: true }]
      return signature === undefined ? thought : [{ ...signaturePart(signature), text }]
    }
    case 'tool':
      return [callPart(block, block.args, block.signature)]
    case 'image':
    case 'audio':
      return [{ inlineData: { mimeType: block.mime, data: block.data } }]
    case 'opaque':
      return block.dialect === 'gemini' ? [block.value] : []
  }
}
