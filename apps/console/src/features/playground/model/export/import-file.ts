import * as v from 'valibot'
import { type Conversation, chatMessage, type ChatMessage, conversation as storedConversation } from '../message.ts'
import { digestInName } from './conversation-file.ts'
import { sha256 } from './sha256.ts'

export type ImportedFile =
  /** `altered`: the content does not match the digest in the name. */
  | { readonly ok: true; readonly conversation: Conversation; readonly altered: boolean }
  | Extract<ReadConversation, { readonly ok: false }>
  | { readonly ok: false; readonly problem: 'too-large' | 'unreadable' }

export async function importFile(file: File, parts: ReadParts): Promise<ImportedFile> {
  if (file.size > MOST_IMPORT_BYTES) return { ok: false, problem: 'too-large' }
  const buffer = await file.arrayBuffer().catch(() => undefined)
  if (buffer === undefined) return { ok: false, problem: 'unreadable' }
  const bytes = new Uint8Array(buffer)
  const read = readConversation(new TextDecoder().decode(bytes), parts)
  const digest = digestInName(file.name)
  return read.ok ? { ...read, altered: digest !== undefined && !sha256(bytes).startsWith(digest) } : read
}

/** Maximum size of an imported file, in bytes. */
export const MOST_IMPORT_BYTES = 50 * 1024 * 1024
/** Maximum number of messages in an imported conversation. */
const MOST_MESSAGES = 10_000

/**
 * Accepts our own export, and any file whose messages follow one another in the shape of a chat request. Ignores anything else in
 * the file.
 */
const importedMessage = v.object({
  ...chatMessage.entries,
  id: v.optional(v.string()),
  parent: v.optional(v.nullable(v.string())),
  role: v.picklist(['user', 'assistant', 'system', 'error']),
  reasoning_content: v.optional(v.nullable(v.string()), null),
  timestamp: v.optional(v.number()),
})
type ImportedMessage = v.InferOutput<typeof importedMessage>

const importedConversation = v.object({
  messages: v.pipe(v.array(importedMessage), v.minLength(1), v.maxLength(MOST_MESSAGES)),
  timestamp: v.optional(v.number()),
  createdBy: v.optional(v.string(), 'unknown'),
  title: storedConversation.entries.title,
  leaves: v.optional(storedConversation.entries.leaves),
})

type ReadConversation =
  | { readonly ok: true; readonly conversation: Conversation }
  | { readonly ok: false; readonly problem: 'not-json' }
  /** `place`: where in the file, such as `messages.2.role`. */
  | { readonly ok: false; readonly problem: 'no-conversation'; readonly place: string }

interface ReadParts {
  readonly newId: () => string
  /** Unix milliseconds. */
  readonly now: number
}

export function readConversation(text: string, { newId, now }: ReadParts): ReadConversation {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, problem: 'not-json' }
  }
  const parsed = v.safeParse(importedConversation, value)
  if (!parsed.success) return { ok: false, problem: 'no-conversation', place: v.getDotPath(parsed.issues[0]) ?? '' }
  const { messages: read, timestamp = now, createdBy, title, leaves } = parsed.output
  const { messages, idOf } = withNewIds(read, newId, now)
  const shown = (leaves ?? []).map((leaf) => (leaf === null ? undefined : idOf.get(leaf)) ?? null)
  const last = messages.at(-1)?.id ?? null
  const conversation = {
    id: newId(),
    timestamp,
    createdBy,
    title,
    messages: [...messages],
    leaves: shown.some((leaf) => leaf !== null) ? shown : [last],
  }
  return { ok: true, conversation }
}

/** Messages that name their parents keep their branches; if any does not, each message follows the one before it. */
function withNewIds(read: readonly ImportedMessage[], newId: () => string, now: number) {
  const ids = read.map(() => newId())
  const idOf = new Map(read.flatMap(({ id }, index) => (id === undefined ? [] : [[id, ids[index] ?? '']])))
  const isTree = read.every(({ id, parent }) => id !== undefined && parent !== undefined) && idOf.size === read.length
  const messages = read.map((message, index): ChatMessage => {
    const before = isTree ? idOf.get(message.parent ?? '') : ids[index - 1]
    return { ...message, id: ids[index] ?? newId(), parent: before ?? null, timestamp: message.timestamp ?? now }
  })
  return { messages, idOf }
}
