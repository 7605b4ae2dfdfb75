import type { ReactNode } from 'react'

/** How deep quotes, lists and emphasis may stand in each other; what is deeper shows as written. */
export const DEEPEST = 20

/** What every part of a text needs to know to be drawn. */
export interface Drawing {
  /** Address of this page, for links without a host. */
  readonly base: string
  /** Whether pictures of other hosts are loaded, which tells those hosts that the text is read. */
  readonly pictures: boolean
  /** Draws a block of HTML; without it HTML is shown as written. */
  readonly html: ((html: string) => ReactNode) | undefined
  /** Level of a heading here: 2 to 6. */
  readonly heading: number
  /** False while the text may still grow here: code and formulas are set once they are complete. */
  readonly complete: boolean
  readonly depth: number
}
