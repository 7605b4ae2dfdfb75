/** The line that every committed page carries. */
const MADE_BY = 'Made by `npm run fix` from the code; a stale page fails the check.\n'

/** A page of one table. Text comes before it; cells may hold `|`. */
export function page(
  title: string,
  text: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  madeBy = MADE_BY,
): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const table = [line(head), line(head.map(() => '---')), ...rows.map(line)]
  return `# ${title}\n\n${text}\n\n${madeBy}\n${table.join('\n')}\n`
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}
