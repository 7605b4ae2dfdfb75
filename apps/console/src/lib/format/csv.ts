/** Text is protected against spreadsheets; numbers are written as they are. */
export type CsvCell = string | number

/**
 * Spreadsheets run a text that starts like this as a formula, in some languages also with full-width characters; an apostrophe
 * makes them show it as text. https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/
/**
 * Where the language uses a decimal comma, spreadsheets split cells at semicolons and ignore our quotes, which are then inside a
 * cell. So what follows a semicolon or a line break can start a cell as well.
 */
const FORMULA_INSIDE = /(?<=[;\t\r\n])[=+\-@＝＋－＠]/g

/** Follows RFC 4180: CRLF after each row, and quotes around anything that contains a comma, a quote or a line break. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

function csvCell(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell)
  const inside = cell.replaceAll(FORMULA_INSIDE, "'$&")
  const text = FORMULA_START.test(cell) ? `'${inside}` : inside
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
