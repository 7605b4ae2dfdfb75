/** A field: null for NULL. Whole numbers only. */
export type Cell = string | number | bigint | null

/** What has to be between quotes, so that it is read back as the same text and not as NULL or as several fields. */
const QUOTED = /^$|^\\N$|[",\r\n]/

/** Rows as CSV (RFC 4180) that ends with a line break. NULL is an unquoted empty field, and '' a quoted one. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  let text = ''
  for (const row of rows) text += `${row.map(fieldOf).join(',')}\r\n`
  return text
}

function fieldOf(cell: Cell): string {
  if (cell === null) return ''
  const text = String(cell)
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
