import type { ClientDialect } from '../../../packages/dialects/laws/client-dialects.ts'
import { isBodyRefusal } from '../../../packages/dialects/src/body-refusal.ts'
import { isInexpressible, type UpstreamCodec } from '../../../packages/dialects/src/canon/codec.ts'
import type { CanonReply } from '../../../packages/dialects/src/canon/reply.ts'
import { asObject, type JsonObject } from '../../../packages/dialects/src/json-value.ts'
import type { Heard } from './hearing.ts'

/** Whether every signature of an answer returns to its provider when the client continues the conversation. */
export function isSignatureRepeated(
  reply: CanonReply,
  { body }: Heard,
  { client, dialect }: ClientDialect,
  codec: UpstreamCodec,
): boolean {
  const next = client.decodeRequest(nextTurn(dialect, body, callIds(reply)), { model: 'm', stream: false })
  if (isBodyRefusal(next)) return false
  const encoded = codec.encodeRequest(next, { model: 'm', stream: false, takes: {}, defaultMaxTokens: 4_096 })
  if (isInexpressible(encoded)) return false
  const sent = JSON.stringify(encoded.body)
  return reply.blocks.every((block) => {
    const proof = 'signature' in block ? block.signature : undefined
    return proof === undefined || sent.includes(proof.value)
  })
}

function callIds({ blocks }: CanonReply): readonly { readonly id: string; readonly name: string }[] {
  return blocks.flatMap((block) => (block.kind === 'tool' ? [{ id: block.id, name: block.name }] : []))
}

type Calls = ReturnType<typeof callIds>

/** The client's next request: its history unchanged, then tool results or another question. */
function nextTurn(dialect: string, reply: JsonObject, calls: Calls): JsonObject {
  const go = calls.length === 0
  switch (dialect) {
    case 'openai-chat':
      return {
        model: 'm',
        messages: [
          { role: 'user', content: 'x' },
          first(reply['choices'])?.['message'],
          ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'done' })),
          ...(go ? [{ role: 'user', content: 'go on' }] : []),
        ],
      }
    case 'openai-responses':
      return {
        model: 'm',
        input: [
          { role: 'user', content: 'x' },
          ...list(reply['output']),
          ...calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: 'done' })),
          ...(go ? [{ role: 'user', content: 'go on' }] : []),
        ],
      }
    case 'anthropic-messages': {
      const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'done' }))
      return {
        model: 'm',
        max_tokens: 4_096,
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: reply['content'] },
          { role: 'user', content: go ? 'go on' : results },
        ],
      }
    }
    default: {
      const results = calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { result: 'done' } } }))
      return {
        contents: [
          { role: 'user', parts: [{ text: 'x' }] },
          first(reply['candidates'])?.['content'],
          { role: 'user', parts: go ? [{ text: 'go on' }] : results },
        ],
      }
    }
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function first(value: unknown): JsonObject | undefined {
  return asObject(list(value)[0])
}
