import {
  createRecordReader,
  FileFault,
  type FoundRecord,
  lineBreaks,
  type RecordReader,
  type TakeRecord,
} from './record-reader.ts'

/** A field of a record: null for NULL. */
export type CsvField = string | null

const QUOTE = '"'

/**
 * CSV as RFC 4180 describes it: commas, records that end with CRLF or LF, quotes around fields that contain one of these, and
 * doubled quotes within them. An unquoted empty field and an unquoted `\N` are NULL, as databases write it; a quoted empty one is
 * ''. An empty line is not a record.
 */
export function createCsvReader(take: TakeRecord<readonly CsvField[]>): RecordReader {
  return createRecordReader(findRecord, take)
}

function findRecord(
  text: string,
  start: number,
  isEnd: boolean,
  line: number,
): FoundRecord<readonly CsvField[]> | undefined {
  const fields: CsvField[] = []
  let hasQuotes = false
  let newline = text.indexOf('\n', start)
  for (let at = start; ; at += 1) {
    if (text[at] === QUOTE) {
      const field = quotedField(text, at + 1, isEnd, line)
      if (field === undefined) return undefined
      hasQuotes = true
      fields.push(field.value)
      at = field.end
    } else {
      if (newline !== -1 && newline < at) newline = text.indexOf('\n', at)
      const comma = text.indexOf(',', at)
      const found = comma === -1 ? newline : newline === -1 ? comma : Math.min(comma, newline)
      if (found === -1 && !isEnd) return undefined
      const end = found === -1 ? text.length : found
      const isLast = end !== comma
      fields.push(plainField(text.slice(at, isLast && text[end - 1] === '\r' && end > at ? end - 1 : end), line))
      at = end
    }
    const next = text[at]
    if (next === ',') continue
    const isBreak = next === '\n' || (next === '\r' && text[at + 1] === '\n')
    if (!isBreak && !isEnd && (next === undefined || at + 1 === text.length)) return undefined
    if (!isBreak && next !== undefined && !(next === '\r' && at + 1 === text.length))
      throw new FileFault(line, 'text follows the closing quote of a field')
    const end = isBreak ? at + (next === '\r' ? 2 : 1) : text.length
    const lines = hasQuotes ? lineBreaks(text.slice(start, end)) : isBreak ? 1 : 0
    const isBlank = fields.length === 1 && fields[0] === null && !hasQuotes
    return { record: isBlank ? undefined : fields, next: end, lines }
  }
}

/** Undefined when the text ends before the end of the field is certain. */
function quotedField(
  text: string,
  start: number,
  isEnd: boolean,
  line: number,
): { readonly value: string; readonly end: number } | undefined {
  let value = ''
  for (let at = start; ;) {
    const close = text.indexOf(QUOTE, at)
    if (close === -1 && isEnd) throw new FileFault(line, 'a quote is never closed')
    if (close === -1 || (close + 1 === text.length && !isEnd)) return undefined
    value += text.slice(at, close)
    if (text[close + 1] !== QUOTE) return { value, end: close + 1 }
    value += QUOTE
    at = close + 2
  }
}

function plainField(text: string, line: number): CsvField {
  if (text === '' || text === '\\N') return null
  if (text.includes(QUOTE)) throw new FileFault(line, 'a quote is in the middle of an unquoted field')
  return text
}
