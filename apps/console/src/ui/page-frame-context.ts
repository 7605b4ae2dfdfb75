import { createContext } from 'react'

/** What the shell does for pages, which know nothing about the shell. */
export interface PageFrame {
  /** Shown after the page's name in the browser's title: the name of the system. */
  readonly titleSuffix: string
  /** Called when a page has been rendered, with its heading. */
  readonly onArrival: (heading: HTMLElement) => void
}

export const PageFrameContext = createContext<PageFrame>({ titleSuffix: '', onArrival: () => undefined })
