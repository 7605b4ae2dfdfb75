import { createContext, useContext } from 'react'
import type { Store } from '../../../../lib/store/store.ts'

/** What is being written, shared by the composer and by what proposes texts to it. */
export interface Draft {
  readonly text: Store<string>
  /** Where the text is written; null while the composer is not there. */
  readonly field: { current: HTMLTextAreaElement | null }
}

export const DraftContext = createContext<Draft | undefined>(undefined)

export function useDraft(): Draft {
  const draft = useContext(DraftContext)
  if (draft === undefined) throw new Error('useDraft needs a DraftContext above it')
  return draft
}
