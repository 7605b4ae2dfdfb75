import { formatLocalDay } from '~/lib/format/date.ts'
import { pathTo } from '../branches.ts'
import { type ChatMessage, type Conversation, imagesOf, textOf } from '../message.ts'
import { sha256 } from './sha256.ts'

export const EXPORT_FORMATS = ['json', 'markdown'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface ExportChoice {
  readonly format: ExportFormat
  readonly images: boolean
  readonly reasoning: boolean
}

export interface ExportWords {
  readonly user: string
  readonly assistant: string
  readonly system: string
  readonly error: string
  readonly reasoning: string
  readonly imageLeftOut: string
  readonly image: string
}

export interface ExportedFile {
  readonly name: string
  readonly type: string
  readonly text: string
  /** Bytes. */
  readonly size: number
  /** SHA-256 of the content in hexadecimal; its first characters are in the name. */
  readonly digest: string
}

/** Hexadecimal digits of the digest in the name. */
const DIGITS_IN_NAME = 16

/** JSON has every branch and can be imported again; Markdown has what the columns show. */
export function exportedFile(conversation: Conversation, choice: ExportChoice, words: ExportWords): ExportedFile {
  const reduced = reducedTo(conversation, choice, words)
  const [text, type, ending] =
    choice.format === 'json'
      ? [`${JSON.stringify(reduced, undefined, 2)}\n`, 'application/json', 'json']
      : [markdownOf(reduced, words), 'text/markdown', 'md']
  const bytes = new TextEncoder().encode(text)
  const digest = sha256(bytes)
  const name = `${nameOf(conversation)}-${digest.slice(0, DIGITS_IN_NAME)}.${ending}`
  return { name, type, text, size: bytes.length, digest }
}

/** Undefined when the file name has no digest. */
export function digestInName(name: string): string | undefined {
  return /-([0-9a-f]{16})(?:[ (_].*)?\.(?:json|md)$/i.exec(name)?.[1]?.toLowerCase()
}

function reducedTo(conversation: Conversation, { images, reasoning }: ExportChoice, words: ExportWords): Conversation {
  const without = ({ content }: ChatMessage) =>
    [textOf(content), ...imagesOf(content).map(() => words.imageLeftOut)].filter((text) => text !== '').join('\n\n')
  return {
    ...conversation,
    messages: conversation.messages.map((message) => ({
      ...message,
      content: images || imagesOf(message.content).length === 0 ? message.content : without(message),
      reasoning_content: reasoning ? message.reasoning_content : null,
    })),
  }
}

/** A name that every file system accepts, made from the title or first question; the day if nothing is left of them. */
function nameOf({ title, messages, timestamp }: Conversation): string {
  const first = messages.find(({ role }) => role === 'user')
  const words = (title || (first === undefined ? '' : textOf(first.content))).toLowerCase()
  const slug = words.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
  if (slug === '') return `conversation-${formatLocalDay(new Date(timestamp))}`
  return (/^.{1,40}/u.exec(slug)?.[0] ?? slug).replace(/-$/, '')
}

function markdownOf(conversation: Conversation, words: ExportWords): string {
  const { messages, leaves, title } = conversation
  const columns = leaves.map((leaf) =>
    pathTo(messages, leaf)
      .map((message) => sectionOf(message, words))
      .join('\n\n'),
  )
  const heading = title === '' ? '' : `# ${title}\n\n`
  return `${heading}${columns.join('\n\n---\n\n')}\n`
}

function sectionOf(message: ChatMessage, words: ExportWords): string {
  const { role, model, content, reasoning_content: reasoning } = message
  const parts = [
    `## ${words[role]}${model === undefined ? '' : ` (${model})`}`,
    reasoning === null || reasoning === '' ? '' : quoted(`**${words.reasoning}**\n\n${reasoning}`),
    role === 'error' ? quoted(textOf(content)) : textOf(content),
    ...imagesOf(content).map((url, index) => `![${words.image} ${index + 1}](${url})`),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
