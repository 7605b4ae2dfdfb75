import { asObject, type JsonObject } from '../json-value.ts'

/** Google's servers accept `system_instruction` for `systemInstruction`. Nested members stay, because their names may be data. */
export function camelCase(object: JsonObject): JsonObject {
  const names = Object.keys(object)
  if (!names.some((name) => name.includes('_'))) return object
  return Object.fromEntries(names.map((name) => [camel(name), object[name]]))
}

export function camelObject(value: unknown): JsonObject | undefined {
  const object = asObject(value)
  return object && camelCase(object)
}

const camel = (name: string) => name.replace(/(?<=[^_])_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Code that the provider ran, or its result, as fenced text that every dialect can show; undefined for other parts. */
export function codeText(part: JsonObject): string | undefined {
  const code = camelObject(part['executableCode'])
  if (code !== undefined) return fenced(code['language'], code['code'])
  const result = camelObject(part['codeExecutionResult'])
  return result && fenced('', result['output'])
}

function fenced(language: unknown, text: unknown): string {
  const inside = typeof text === 'string' ? text.replace(/\n$/, '') : ''
  const word = typeof language === 'string' && /^\w*$/.test(language) ? language.toLowerCase() : ''
  return `\n\`\`\`${word}\n${inside}\n\`\`\`\n`
}
