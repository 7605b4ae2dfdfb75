import type { ChatDialect } from '../src/canon/parts.ts'
import { asObject, asText, type JsonObject, parseJson } from '../src/json-value.ts'
import { objects } from './order/stream-order.ts'

/** A call, a result or other content, with its speaker. */
interface Block {
  readonly role: string
  readonly call?: { readonly id: string; readonly name: string; readonly args: unknown } | undefined
  readonly result?: { readonly id: string; readonly name?: string | undefined } | undefined
  readonly message: number
  readonly value: JsonObject
}

export interface ConversationRules {
  blocks(body: JsonObject): readonly Block[]
  readonly id: RegExp
  /** Speakers take turns, the user first. */
  readonly alternates?: boolean
  /** Blank texts are refused. */
  readonly blankless?: boolean
  /** Results name their tool. */
  readonly named?: boolean
}

const ANY_TEXT = /^[^]*$/

/** From the API references: what a test server would check. */
export const CONVERSATION_RULES: Partial<Readonly<Record<ChatDialect, ConversationRules>>> = {
  'openai-chat': { blocks: chatBlocks, id: /^[^]{1,40}$/ },
  'openai-responses': { blocks: itemBlocks, id: /^[^]{1,64}$/ },
  'anthropic-messages': { blocks: messageBlocks, id: /^[\w-]{1,64}$/, alternates: true, blankless: true },
  'bedrock-converse': { blocks: converseBlocks, id: /^[\w-]{1,64}$/, alternates: true, blankless: true },
  gemini: { blocks: contentBlocks, id: ANY_TEXT, named: true },
  cohere: { blocks: chatBlocks, id: ANY_TEXT },
}

export function conversationFault(body: JsonObject, rules: ConversationRules): string | undefined {
  const blocks = rules.blocks(body)
  return callFault(blocks, rules) ?? roleFault(blocks, rules)
}

/** Results directly follow their calls, each call has one result, and ids are unique. */
function callFault(blocks: readonly Block[], { id, named = false }: ConversationRules): string | undefined {
  const seen = new Set<string>()
  const open = new Map<string, string>()
  for (const [at, { role, call, result }] of blocks.entries()) {
    const last = blocks[at - 1]
    if (call !== undefined) {
      if (last?.result !== undefined && open.size > 0) return `block ${at}: a call before all results of the last ones`
      if (!id.test(call.id)) return `block ${at}: an id that is refused: ${call.id}`
      if (seen.has(call.id)) return `block ${at}: a second call with the id ${call.id}`
      if (asObject(call.args) === undefined) return `block ${at}: arguments that are not an object`
      seen.add(call.id)
      open.set(call.id, call.name)
    } else if (result !== undefined) {
      if (!open.has(result.id)) return `block ${at}: a result without a call, or a second one: ${result.id}`
      if (named && open.get(result.id) !== result.name) return `block ${at}: a result of another tool`
      open.delete(result.id)
    } else if (open.size > 0 && (role !== 'assistant' || last?.result !== undefined)) {
      return `block ${at}: said between a call and its result`
    }
  }
  return open.size > 0 ? `no result for ${[...open.keys()].join(', ')}` : undefined
}

function roleFault(blocks: readonly Block[], { alternates, blankless }: ConversationRules): string | undefined {
  if (alternates === true && blocks[0]?.role !== 'user') return 'the user does not begin'
  for (const [at, { role, message, value }] of blocks.entries()) {
    const last = blocks[at - 1]
    if (alternates === true && last !== undefined && last.message !== message && last.role === role)
      return `block ${at}: ${role} speaks twice`
    if (blankless === true && 'text' in value && asText(value['text']).trim() === '') return `block ${at}: blank text`
  }
  const end = blocks.at(-1)
  const isOpen = blankless === true && end?.role === 'assistant' && /\s$/.test(asText(end.value['text']))
  return isOpen ? 'the last text ends in white space' : undefined
}

function chatBlocks(body: JsonObject): readonly Block[] {
  return objects(body['messages']).flatMap((value, message) => {
    const role = asText(value['role'])
    if (role === 'tool') return [{ role, message, value, result: { id: asText(value['tool_call_id']) } }]
    const made = objects(value['tool_calls']).map((call) => {
      const { name, arguments: args } = asObject(call['function']) ?? {}
      return {
        role,
        message,
        value: call,
        call: { id: asText(call['id']), name: asText(name), args: parseJson(asText(args)) },
      }
    })
    const { tool_calls: _, ...said } = value
    return [{ role, message, value: said }, ...made]
  })
}

function itemBlocks(body: JsonObject): readonly Block[] {
  return objects(body['input']).map((value, message) => {
    const id = asText(value['call_id'])
    if (value['type'] === 'function_call_output') return { role: 'tool', message, value, result: { id } }
    if (value['type'] !== 'function_call') return { role: asText(value['role']), message, value }
    const call = { id, name: asText(value['name']), args: parseJson(asText(value['arguments'])) }
    return { role: 'assistant', message, value, call }
  })
}

function messageBlocks(body: JsonObject): readonly Block[] {
  return nestedBlocks(body['messages'], 'content', ({ type, id, name, input, tool_use_id }) => ({
    ...(type === 'tool_use' ? { call: { id: asText(id), name: asText(name), args: input } } : {}),
    ...(type === 'tool_result' ? { result: { id: asText(tool_use_id) } } : {}),
  }))
}

function converseBlocks(body: JsonObject): readonly Block[] {
  return nestedBlocks(body['messages'], 'content', (value) => {
    const [use, result] = [asObject(value['toolUse']), asObject(value['toolResult'])]
    return {
      ...(use && { call: { id: asText(use['toolUseId']), name: asText(use['name']), args: use['input'] } }),
      ...(result && { result: { id: asText(result['toolUseId']) } }),
    }
  })
}

function contentBlocks(body: JsonObject): readonly Block[] {
  return nestedBlocks(body['contents'], 'parts', (value) => {
    const [call, result] = [asObject(value['functionCall']), asObject(value['functionResponse'])]
    return {
      ...(call && { call: { id: asText(call['id']), name: asText(call['name']), args: call['args'] } }),
      ...(result && { result: { id: asText(result['id']), name: asText(result['name']) } }),
    }
  })
}

function nestedBlocks(
  messages: unknown,
  member: string,
  read: (value: JsonObject) => Pick<Block, 'call' | 'result'>,
): readonly Block[] {
  return objects(messages).flatMap((holder, message) => {
    const role = holder['role'] === 'model' ? 'assistant' : asText(holder['role'])
    return objects(holder[member]).map((value) => ({ role, message, value, ...read(value) }))
  })
}
