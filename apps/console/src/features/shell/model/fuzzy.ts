/** Smaller is better; `undefined` when the text does not match. */
export function rank(typed: string, text: string): number | undefined {
  const query = typed.trim().toLowerCase()
  const target = text.toLowerCase()
  if (query === '') return 0
  if (target.startsWith(query)) return 0
  const at = target.indexOf(query)
  if (at > 0) return /[\p{L}\p{N}]/u.test(target[at - 1] ?? '') ? 2 : 1
  return scattered(query, target)
}

const SCATTERED = 3
/** A larger gap between letters is chance, not intent. */
const MOST_SKIPPED = 12

/** Ranks letters in their order by what is between them: `crtk` finds "Create token". */
function scattered(query: string, target: string): number | undefined {
  let last = -1
  let skipped = 0
  for (const letter of query.replaceAll(/\s/g, '')) {
    const at = target.indexOf(letter, last + 1)
    if (at < 0) return undefined
    if (last >= 0) skipped += at - last - 1
    last = at
  }
  return skipped > MOST_SKIPPED ? undefined : SCATTERED + skipped
}

/** Best match first, equal ones in the given order. `textsOf` returns the texts under which an entry is found. */
export function ranked<T>(
  query: string,
  entries: readonly T[],
  textsOf: (entry: T) => readonly string[],
): readonly T[] {
  return entries
    .map((entry) => ({ entry, best: best(textsOf(entry).map((text) => rank(query, text))) }))
    .filter(({ best }) => best < Infinity)
    .sort((a, b) => a.best - b.best)
    .map(({ entry }) => entry)
}

function best(ranks: readonly (number | undefined)[]): number {
  return Math.min(...ranks.map((one) => one ?? Infinity))
}

export interface PaletteEntry {
  readonly id: string
  readonly label: string
  readonly group: string
  readonly hint?: string
  readonly keys?: string | undefined
  /** Further texts under which the entry is found. */
  readonly alias?: string
  /** With a `page`, only records that the page was opened. */
  readonly run?: () => void
  readonly page?: PalettePage
}

export interface PalettePage {
  readonly title: string
  readonly entries: readonly PaletteEntry[]
}

/** Headings are in the order of their first appearance. */
export function grouped(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  return [...Map.groupBy(entries, ({ group }) => group).values()].flat()
}
