import type { FieldReader } from '../canon/field-reader.ts'
import type { Part, TextPart, Turn } from '../canon/parts.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { camelCase, camelObject } from './camel-case.ts'
import { CallIds, PartDecoder } from './decode-parts.ts'

/** `contents`, which Google's servers also accept as a single object. */
export function decodeContents(value: unknown, reader: FieldReader, extra: Record<string, unknown>): readonly Turn[] {
  const contents = listOf(value)
  const decoder = new PartDecoder(reader, new CallIds(idsIn(contents)), extra)
  const turns: Turn[] = []
  const read = (object: JsonObject, path: string) => {
    const content = camelCase(object)
    const role = readRole(content['role'], `${path}.role`, reader)
    const parts = reader.objects(listOf(content['parts']), `${path}.parts`, (part, at) => decoder.decode(part, at))
    for (const turn of turnsOf(role, parts.flat())) add(turns, turn)
  }
  const found = reader.objects(contents, 'contents', read)
  if (found.length === 0) reader.refuse('contents', 'must contain at least one content')
  return turns
}

/** `systemInstruction`: a content or, from some clients, a plain text. */
export function decodeSystem(value: unknown, reader: FieldReader): readonly TextPart[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [{ kind: 'text', text: value }]
  const content = reader.object(value, 'systemInstruction')
  const read = (part: JsonObject, path: string): TextPart => ({
    kind: 'text',
    text: reader.needText(part['text'], `${path}.text`),
  })
  return reader.objects(listOf(content?.['parts']), 'systemInstruction.parts', read)
}

/** Google's servers accept a single object as a list of one. */
export function listOf(value: unknown): unknown {
  return asObject(value) === undefined ? value : [value]
}

function readRole(role: unknown, path: string, reader: FieldReader): Turn['role'] {
  const word = reader.oneOf(role, path, ['user', 'model', 'function', 'system'])
  if (word === 'model') return 'assistant'
  return word === 'system' ? 'system' : 'user'
}

/** Ids assigned by the client itself. */
function idsIn(contents: unknown): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const content of Array.isArray(contents) ? contents : []) {
    const parts = listOf(asObject(content)?.['parts'])
    for (const item of Array.isArray(parts) ? parts : []) {
      const part = camelObject(item)
      const id = asObject(part?.['functionCall'] ?? part?.['functionResponse'])?.['id']
      if (typeof id === 'string') ids.add(id)
    }
  }
  return ids
}

/** Tool results come before everything else in the same content: other dialects require them right after their calls. */
function turnsOf(role: Turn['role'], parts: readonly Part[]): readonly Turn[] {
  const results = parts.filter(({ kind }) => kind === 'tool-result')
  const others = parts.filter(({ kind }) => kind !== 'tool-result')
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, parts: results }]),
    ...(others.length === 0 ? [] : [{ role, parts: others }]),
  ]
}

/** Clients keep a streamed answer as one content per event; consecutive contents of the model, or of tools, are joined again. */
function add(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1)
  if (last?.role !== turn.role || turn.role === 'user' || turn.role === 'system') {
    turns.push(turn.role === 'assistant' ? { ...turn, parts: joined(turn.parts) } : turn)
  } else {
    const parts = [...last.parts, ...turn.parts]
    turns[turns.length - 1] = { ...last, parts: turn.role === 'assistant' ? joined(parts) : parts }
  }
}

/** Joins consecutive texts, and consecutive thoughts up to their signature. */
function joined(parts: readonly Part[]): readonly Part[] {
  const out: Part[] = []
  for (const part of parts) {
    const last = out.at(-1)
    if (last?.kind === 'text' && part.kind === 'text') out[out.length - 1] = { ...last, text: last.text + part.text }
    else if (last?.kind === 'reasoning' && part.kind === 'reasoning' && last.signature === undefined) {
      out[out.length - 1] = { ...part, text: last.text + part.text }
    } else out.push(part)
  }
  return out
}
