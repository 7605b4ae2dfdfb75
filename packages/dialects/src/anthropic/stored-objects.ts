import { asObject, type JsonObject } from '../json-value.ts'
import { ADDRESS, ID, type ReferringMembers, type Shape, shape } from '../references.ts'

/** A file created by one of Anthropic's tools; in a request it is history and is not read again. */
function isMadeFile(type: unknown): boolean {
  return type === 'code_execution_output' || type === 'bash_code_execution_output'
}

/** A content block, the source of a picture or document, or the content of a tool's result. */
const BLOCK: Shape = shape(() => ({ file_id: ID, url: ADDRESS, source: BLOCK, content: BLOCK }), { skips: isMadeFile })

/** Anthropic's own skills are available to every account. */
const SKILL: Shape = shape(() => ({ skill_id: ID }), { skips: (type) => type === 'anthropic' })

/** References to objects of the key's account: answers, containers, files, skills. */
export const MESSAGES_REFERENCES: ReferringMembers = {
  outer: {
    thread: shape(() => ({ previous_message_id: ID })),
    container: shape(() => ({ id: ID, skills: SKILL }), { leaf: 'id' }),
    diagnostics: shape(() => ({ previous_message_id: ID })),
  },
  inner: { messages: shape(() => ({ content: BLOCK })), system: BLOCK },
}

const OUTPUT: Shape = shape(() => ({ file_id: ID }), { skips: (type) => !isMadeFile(type) })

export const MADE_FILES: Shape = shape(() => ({ content: shape(() => ({ content: OUTPUT })) }))

export function containerOf(message: JsonObject | undefined): readonly string[] {
  const id = asObject(message?.['container'])?.['id']
  return typeof id === 'string' && id !== '' ? [id] : []
}

/** Files in the result of a tool that the provider ran. */
export function filesMade(event: JsonObject): readonly string[] {
  const result = asObject(asObject(event['content_block'])?.['content'])?.['content']
  const outputs: readonly unknown[] = Array.isArray(result) ? result : []
  const files = outputs.map((output) => asObject(output) ?? {}).filter(({ type }) => isMadeFile(type))
  return files.map(({ file_id }) => file_id).filter((id) => typeof id === 'string')
}
