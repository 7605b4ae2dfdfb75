import { createRecordReader, FileFault, type RecordReader, type TakeRecord } from './record-reader.ts'

export type JsonlValue = string | number | bigint | null
export type JsonlRecord = readonly (readonly [name: string, value: JsonlValue])[]

/**
 * One JSON object per line. Integers keep all their digits, booleans become 1 and 0, lists and objects their JSON. Empty lines are
 * skipped.
 */
export function createJsonlReader(take: TakeRecord<JsonlRecord>): RecordReader {
  return createRecordReader((text, start, isEnd, line) => {
    const newline = text.indexOf('\n', start)
    if (newline === -1 && !isEnd) return undefined
    const end = newline === -1 ? text.length : newline
    const record = recordOf(text.slice(start, end).trim(), line)
    return { record, next: newline === -1 ? end : end + 1, lines: newline === -1 ? 0 : 1 }
  }, take)
}

function recordOf(text: string, line: number): JsonlRecord | undefined {
  if (text === '') return undefined
  const parsed = parse(text, line)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new FileFault(line, 'the line is not a JSON object')
  return Object.entries(parsed).map(([name, value]) => [name, valueOf(value)])
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text, exactInteger)
  } catch {
    // The parser's own message would quote the line, which may hold a key.
    throw new FileFault(line, 'the line is not valid JSON')
  }
}

function exactInteger(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value
  return /^-?\d{1,18}$/.test(source) ? BigInt(source) : value
}

function valueOf(value: unknown): JsonlValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
      return value
    case 'boolean':
      return value ? 1 : 0
    default:
      return value === null || value === undefined ? null : JSON.stringify(value, withoutBigints)
  }
}

/** Part of JavaScript since 2025, but not yet of its type definitions. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }

function withoutBigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(String(value)) : value
}
