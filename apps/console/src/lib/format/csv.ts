/** A cell: text is protected against spreadsheets, numbers are written as they are. */
export type CsvCell = string | number

/**
 * Spreadsheets run a text that starts like this as a formula, in some languages with signs of full width too; an apostrophe
 * makes them show it. https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/

/** Rows as RFC 4180 wants them: CRLF after each, and quotes around whatever holds a comma, a quote or a line break. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

function csvCell(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA_START.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
