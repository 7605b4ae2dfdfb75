import { asObject, type JsonObject } from '../json-value.ts'

/** `tool_call_id` → `ToolCallId`, on every level. Names inside texts, such as tool arguments, stay. */
export function tencentSpelling(value: unknown): unknown {
  return respell(value, (name) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
}

/** `ToolCallId` → `tool_call_id`, on every level. */
export function openAiSpelling(value: JsonObject): JsonObject {
  return asObject(respell(value, (name) => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase())) ?? {}
}

function respell(value: unknown, spell: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => respell(item, spell))
  const object = asObject(value)
  if (object === undefined) return value
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [spell(name), respell(member, spell)]))
}
