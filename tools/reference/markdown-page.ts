/** The line that every committed page carries. */
export const MADE_BY = 'Made by `npm run fix` from the code; a stale page fails the check.\n'

/** A page with text and one table; cells may contain `|`. */
export function page(
  title: string,
  text: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  madeBy = MADE_BY,
): string {
  return `# ${title}\n\n${text}\n\n${madeBy}\n${table(head, rows)}\n`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}
