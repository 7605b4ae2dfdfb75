import { othersThan } from '../canon/field-reader.ts'
import { asList, asObject, type JsonObject } from '../json-value.ts'

/** Items whose members are read one by one; all others are kept whole. */
const READ_ITEMS: ReadonlySet<unknown> = new Set([
  undefined,
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'reasoning',
])

/** Their members, with those that only say where an item comes from. */
const KNOWN: ReadonlySet<string> = new Set([
  'type',
  'id',
  'status',
  'created_by',
  'role',
  'content',
  'call_id',
  'name',
  'namespace',
  'arguments',
  'input',
  'output',
  'summary',
  'encrypted_content',
])

/** Other members of items, by their path: `input[].phase`; sources of what the model said are also named. */
export function otherItemFields(input: unknown): JsonObject {
  const items: readonly unknown[] = Array.isArray(input) ? input : []
  const names = items.flatMap((item) => {
    const object = asObject(item)
    if (object === undefined || !READ_ITEMS.has(object['type'])) return []
    const isCited = asList(object['content']).some((part) => asList(asObject(part)?.['annotations']).length > 0)
    return [...Object.keys(othersThan(object, KNOWN)), ...(isCited ? ['content[].annotations'] : [])]
  })
  return Object.fromEntries(names.map((name) => [`input[].${name}`, true]))
}
