import { createContext, useContext } from 'react'
import * as v from 'valibot'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { createStore, type Store } from '~/lib/store/store.ts'

/** Longer drafts are kept only as long as the page: otherwise each key press would store all of it. */
const KEPT_CHARACTERS = 20_000

/** What is being written, shared by the composer and by the features that suggest texts to it. */
export interface Draft {
  readonly text: Store<string>
  /** The text field; null while the composer is not mounted. */
  readonly field: { current: HTMLTextAreaElement | null }
}

/** A draft that survives a visit to another page. Written at each change, so that nothing is left to write after a sign-out. */
export function createDraft(storage: KeyValueStorage): Draft {
  const record = storedRecord(storage, PLAYGROUND_KEYS.draft, v.string())
  const store = createStore(record.read() ?? '')
  const set = (text: string) => {
    store.set(text)
    if (text === '' || text.length > KEPT_CHARACTERS) record.remove()
    else record.write(text)
  }
  return { text: { get: store.get, subscribe: store.subscribe, set }, field: { current: null } }
}

/** Where the focus goes when the focused element is gone. Not on touch screens, where it would open the keyboard unasked. */
export function returnToField({ field }: Draft): void {
  if (window.matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true })
}

export const DraftContext = createContext<Draft | undefined>(undefined)

export function useDraft(): Draft {
  const draft = useContext(DraftContext)
  if (draft === undefined) throw new Error('useDraft needs a DraftContext above it')
  return draft
}
