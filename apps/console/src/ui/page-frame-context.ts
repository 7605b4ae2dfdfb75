import { createContext } from 'react'

/** What the shell does for pages, which know nothing of it. */
export interface PageFrame {
  /** Follows the page's name in the browser's title: the name of the system. */
  readonly titleSuffix: string
  /** Called when a page has come up, with its heading. */
  readonly onArrival: (heading: HTMLElement) => void
}

export const PageFrameContext = createContext<PageFrame>({ titleSuffix: '', onArrival: () => undefined })
