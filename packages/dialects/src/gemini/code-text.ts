import type { JsonObject } from '../json-value.ts'
import { camelObject } from './camel-case.ts'

/** Code that the provider ran, or its result, as fenced text, which every dialect can show; undefined for other parts. */
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
