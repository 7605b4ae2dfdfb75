import type { AnswerContext } from '../canon/codec.ts'
import type { CanonReply, ReplyBlock } from '../canon/reply.ts'
import type { JsonObject } from '../json-value.ts'
import { encodeCallSignature, encodeCitation, encodeImage, headOf } from './encode-parts.ts'
import { encodeUsage } from './encode-usage.ts'
import { encodeFinish } from './finish.ts'
import { encodeDetails } from './reasoning-details.ts'

export function encodeReply(reply: CanonReply, context: AnswerContext): JsonObject {
  const isOlder = context.request.extra.isOlder === true
  const counts = reply.usage?.counts
  const choice = {
    index: 0,
    message: encodeMessage(reply.blocks, context, isOlder),
    logprobs: null,
    finish_reason: encodeFinish(reply.finish?.reason ?? 'stop', isOlder),
  }
  return {
    ...headOf(context, 'chat.completion'),
    choices: [choice],
    ...(counts === undefined ? {} : { usage: encodeUsage(counts) }),
  }
}

function encodeMessage(blocks: readonly ReplyBlock[], context: AnswerContext, isOlder: boolean): JsonObject {
  const texts = blocks.filter((block) => block.kind === 'text')
  const thoughts = blocks.filter((block) => block.kind === 'reasoning')
  const refusal = joined(blocks.filter((block) => block.kind === 'refusal'))
  const images = blocks.filter((block) => block.kind === 'image').map(encodeImage)
  const sound = blocks.filter((block) => block.kind === 'audio').map(({ data }) => data)
  const thought = joined(thoughts)
  const details = thoughts.flatMap(encodeDetails)
  const annotations = citationsOf(texts)
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : joined(texts),
    refusal: refusal === '' ? null : refusal,
    ...(thought === '' ? {} : { reasoning_content: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(images.length === 0 ? {} : { images }),
    ...(sound.length === 0
      ? {}
      : {
          audio: { id: `audio_${context.idSeed}`, data: sound.join(''), expires_at: context.created, transcript: '' },
        }),
    ...encodeCalls(blocks, isOlder),
  }
}

function encodeCalls(blocks: readonly ReplyBlock[], isOlder: boolean): JsonObject {
  const calls = blocks.filter((block) => block.kind === 'tool')
  const [first] = calls
  if (first === undefined) return {}
  // The older form supports only one call in a turn.
  if (isOlder && calls.length === 1) return { function_call: { name: first.name, arguments: argumentsOf(first.args) } }
  const written = calls.map(({ id, name, args, isCustom, signature }) => ({
    id,
    ...(isCustom
      ? { type: 'custom', custom: { name, input: args } }
      : { type: 'function', function: { name, arguments: argumentsOf(args) } }),
    ...encodeCallSignature(signature),
  }))
  return { tool_calls: written }
}

/** Clients parse arguments. */
function argumentsOf(args: string): string {
  return args === '' ? '{}' : args
}

function citationsOf(texts: readonly Extract<ReplyBlock, { kind: 'text' }>[]): readonly JsonObject[] {
  let before = 0
  return texts.flatMap(({ text, citations }) => {
    const written = citations.map((citation) => encodeCitation(citation, before))
    before += text.length
    return written
  })
}

function joined(blocks: readonly { readonly text: string }[]): string {
  return blocks.map(({ text }) => text).join('')
}
