import type { Conversation } from '../message.ts'
import { digestInName } from './conversation-file.ts'
import { MOST_IMPORT_BYTES, type ReadConversation, readConversation, type ReadParts } from './read-conversation.ts'
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
