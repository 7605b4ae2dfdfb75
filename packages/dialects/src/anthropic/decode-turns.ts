import type { FieldReader } from '../canon/field-reader.ts'
import type { Part, TextPart, Turn } from '../canon/parts.ts'
import type { JsonObject } from '../json-value.ts'
import type { ContentPart, ContentReader } from './decode-content.ts'

/** `system`: a text, or a list of text blocks. */
export function decodeSystem(read: FieldReader, content: ContentReader, system: unknown): readonly TextPart[] {
  return textsOf(read, content.content(system, 'system'), 'system')
}

/** Tool results get their own turns, before anything else from the user; those for one assistant turn are combined. */
export function decodeTurns(read: FieldReader, content: ContentReader, messages: unknown): readonly Turn[] {
  if (messages === undefined || messages === null) read.refuse('messages', 'is required')
  const turns: GrowingTurn[] = []
  read.objects(messages, 'messages', (message, path) => {
    for (const turn of decodeMessage(read, content, message, path)) add(turns, turn)
  })
  return turns
}

interface GrowingTurn extends Turn {
  readonly parts: Part[]
}

function decodeMessage(
  read: FieldReader,
  content: ContentReader,
  message: JsonObject,
  path: string,
): readonly GrowingTurn[] {
  const role = read.oneOf(message['role'] ?? '', `${path}.role`, ['user', 'assistant', 'system'])
  const parts = content.content(message['content'], `${path}.content`)
  switch (role) {
    case undefined:
      return []
    case 'system':
      return filled({ role, parts: [...instructionsOf(read, parts, `${path}.content`)] })
    case 'assistant':
      return filled({ role, parts: [...withCallSignatures(parts)] })
    case 'user': {
      const results = parts.filter(({ kind }) => kind === 'tool-result')
      const said = parts.filter(({ kind }) => kind !== 'tool-result')
      return [...filled({ role: 'tool', parts: results }), ...filled({ role, parts: said })]
    }
  }
}

const filled = (turn: GrowingTurn): readonly GrowingTurn[] => (turn.parts.length === 0 ? [] : [turn])

function add(turns: GrowingTurn[], turn: GrowingTurn): void {
  const before =
    turn.role === 'tool' ? turns.findLast(({ role }) => role === 'tool' || role === 'assistant') : undefined
  if (before?.role === 'tool') before.parts.push(...turn.parts)
  else turns.push(turn)
}

/** Blocks in the middle of a conversation can change which tools are offered. */
function instructionsOf(read: FieldReader, parts: readonly ContentPart[], field: string): readonly Part[] {
  const known = parts.filter(({ kind }) => kind === 'text' || kind === 'opaque')
  if (known.length < parts.length) read.refuse(field, 'must contain only text, because it is an instruction')
  return known
}

function textsOf(read: FieldReader, parts: readonly ContentPart[], field: string): readonly TextPart[] {
  const texts = parts.filter((part) => part.kind === 'text')
  if (texts.length < parts.length) read.refuse(field, 'must contain only text, because it is an instruction')
  return texts
}

/** Puts a call's signature back onto the call; it travels in an empty thinking block that names the call (`answer-blocks.ts`). */
function withCallSignatures(parts: readonly ContentPart[]): readonly ContentPart[] {
  const calls = new Set(parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : [])))
  const signatures = new Map(
    parts.flatMap((part) => {
      if (part.kind !== 'reasoning' || part.text !== '' || part.signature?.item === undefined) return []
      const { item, ...signature } = part.signature
      return calls.has(item) && signature.dialect !== 'anthropic-messages' ? [[item, { part, signature }] as const] : []
    }),
  )
  const carriers = new Set([...signatures.values()].map(({ part }) => part))
  return parts.flatMap((part): readonly ContentPart[] => {
    if (part.kind === 'reasoning') return carriers.has(part) ? [] : [part]
    const found = part.kind === 'tool-call' ? signatures.get(part.id) : undefined
    return part.kind === 'tool-call' && found !== undefined ? [{ ...part, signature: found.signature }] : [part]
  })
}
