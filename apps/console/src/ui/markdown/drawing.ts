import type { ReactNode } from 'react'

/** How deeply quotes, lists and emphasis can be nested; anything deeper is shown as written. */
export const DEEPEST = 20

/** What every part of a text needs to know to be drawn. */
export interface Drawing {
  /** Address of this page, for links without a host. */
  readonly base: string
  /** Whether pictures of other hosts are loaded, which tells those hosts that the text is being read. */
  readonly pictures: boolean
  /** Draws a block of HTML; without it HTML is shown as written. */
  readonly html: ((html: string) => ReactNode) | undefined
  /** Level of a heading here: 2 to 6. */
  readonly heading: number
  /** False while the text can still grow here: code and formulas are typeset once they are complete. */
  readonly complete: boolean
  readonly depth: number
}
