export interface CsvRow {
  /** From 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** Rows of RFC 4180, also with LF alone. An unclosed quote runs to the end; a spreadsheet's byte order mark is skipped. */
export function* csvRows(text: string): Generator<CsvRow> {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  while (at < text.length) {
    const row: { line: number; cells: string[] } = { line, cells: [] }
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at)
      row.cells.push(cell.text)
      line += cell.breaks
      at = cell.end
      if (text[at] !== ',') break
      at += 1
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    line += 1
    yield row
  }
}

interface Cell {
  readonly text: string
  /** Position of the comma or of the line's end. */
  readonly end: number
  readonly breaks: number
}

function plainCell(text: string, start: number): Cell {
  let end = start
  while (end < text.length && !',\r\n'.includes(text.charAt(end))) end += 1
  return { text: text.slice(start, end), end, breaks: 0 }
}

/** Text between the closing quote and the next comma belongs to the cell, as in spreadsheets. */
function quotedCell(text: string, start: number): Cell {
  let content = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    content += text.slice(from, quote < 0 ? text.length : quote)
    if (quote < 0) return { text: content, end: text.length, breaks: breaksIn(content) }
    if (text[quote + 1] !== '"') {
      const rest = plainCell(text, quote + 1)
      return { text: content + rest.text, end: rest.end, breaks: breaksIn(content) }
    }
    content += '"'
    from = quote + 2
  }
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1
}
