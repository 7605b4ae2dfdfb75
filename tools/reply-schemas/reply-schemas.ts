import { join } from 'node:path'
import { DeclaredTypes } from './declared-types.ts'
import { type Schema, TypeSchemas } from './type-schema.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const OPENAI = join(ROOT, 'node_modules', 'openai', 'resources')
/** Installed for the client tests; see `tests/clients`. */
export const ANTHROPIC = join(ROOT, 'tests', 'clients', 'node_modules', '@anthropic-ai', 'sdk', 'resources')

interface Vendor {
  readonly prefix: string
  readonly folder: string
  readonly added: readonly string[]
  readonly decoded: readonly string[]
  /** Name of a reply → file and type. */
  readonly replies: Readonly<Record<string, readonly [file: string, type: string]>>
}

const VENDORS: readonly Vendor[] = [
  {
    prefix: 'openai',
    folder: OPENAI,
    added: ['Response.output_text'],
    // The library requests base64. The reference's own example of a compaction keeps user messages, which the type lacks.
    decoded: ['Embedding.embedding', 'CompactedResponse.output'],
    replies: {
      chat: ['chat/completions/completions.d.ts', 'ChatCompletion'],
      'chat-event': ['chat/completions/completions.d.ts', 'ChatCompletionChunk'],
      completion: ['completions.d.ts', 'Completion'],
      embeddings: ['embeddings.d.ts', 'CreateEmbeddingResponse'],
      moderation: ['moderations.d.ts', 'ModerationCreateResponse'],
      model: ['models.d.ts', 'Model'],
      response: ['responses/responses.d.ts', 'Response'],
      'response-event': ['responses/responses.d.ts', 'ResponseStreamEvent'],
      compaction: ['responses/responses.d.ts', 'CompactedResponse'],
    },
  },
  {
    prefix: 'anthropic',
    folder: ANTHROPIC,
    added: [],
    decoded: [],
    replies: {
      message: ['messages/messages.d.ts', 'Message'],
      'message-event': ['messages/messages.d.ts', 'RawMessageStreamEvent'],
      'message-count': ['messages/messages.d.ts', 'MessageTokensCount'],
      'anthropic-model': ['models.d.ts', 'ModelInfo'],
    },
  },
]

/** What the replies of OpenAI and Anthropic must contain, as declared by their own libraries: JSON, one definition per line. */
export function replySchemas(): string {
  const lines: string[] = []
  for (const { prefix, folder, added, decoded, replies } of VENDORS) {
    const schemas = new TypeSchemas(new DeclaredTypes(), prefix, added, decoded)
    const roots: [string, Schema][] = Object.entries(replies).map(([name, [file, type]]) => [
      name,
      schemas.refer([type], { file: join(folder, file), path: [] }),
    ])
    lines.push(...[...roots, ...schemas.definitions].map(([name, schema]) => `"${name}":${JSON.stringify(schema)}`))
  }
  return `{"$defs":{\n${lines.join(',\n')}\n}}\n`
}
