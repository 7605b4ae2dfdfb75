export interface PaletteEntry {
  readonly id: string
  readonly label: string
  /** Heading under which it is listed. */
  readonly group: string
  /** Describes it, at the end of the line. */
  readonly hint?: string
  readonly keys?: string | undefined
  /** Further texts by which it is found. */
  readonly alias?: string
  /** What it does. With a `page` it only records that the page was opened. */
  readonly run?: () => void
  /** Opens a page of further entries instead. */
  readonly page?: PalettePage
}

export interface PalettePage {
  readonly title: string
  readonly entries: readonly PaletteEntry[]
}

/** The entries grouped by heading, with headings in the order of their first appearance. */
export function grouped(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  return [...Map.groupBy(entries, ({ group }) => group).values()].flat()
}
