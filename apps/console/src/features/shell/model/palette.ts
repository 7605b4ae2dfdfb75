/** One line of the palette. */
export interface PaletteEntry {
  readonly id: string
  readonly label: string
  /** Heading under which it stands. */
  readonly group: string
  /** Says what it is, at the end of the line. */
  readonly hint?: string
  readonly keys?: string | undefined
  /** Further texts by which it is found. */
  readonly alias?: string
  /** What it does. With a `page` it only notes that the page was opened. */
  readonly run?: () => void
  /** Leads to further entries instead. */
  readonly page?: PalettePage
}

export interface PalettePage {
  readonly title: string
  readonly entries: readonly PaletteEntry[]
}

/** The entries of each heading together, headings in the order in which they first come. */
export function grouped(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  return [...Map.groupBy(entries, ({ group }) => group).values()].flat()
}
