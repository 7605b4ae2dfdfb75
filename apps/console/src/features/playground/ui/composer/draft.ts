import { createContext, useContext } from 'react'
import * as v from 'valibot'
import { PLAYGROUND_KEYS } from '../../../../lib/storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '../../../../lib/storage/stored-record.ts'
import { createStore, type Store } from '../../../../lib/store/store.ts'

/** Longer drafts live as long as the page: each key press would write all of it. */
const KEPT_CHARACTERS = 20_000

/** What is being written, shared by the composer and by what proposes texts to it. */
export interface Draft {
  readonly text: Store<string>
  /** Where the text is written; null while the composer is not there. */
  readonly field: { current: HTMLTextAreaElement | null }
}

/** A draft that outlives a look at another page. It is written at each change, so that nothing is left to write after a sign-out. */
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

/**
 * Where the focus goes when what had it is gone. Not on touch screens, where it would bring up a keyboard that nobody asked for.
 */
export function returnToField({ field }: Draft): void {
  if (window.matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true })
}

export const DraftContext = createContext<Draft | undefined>(undefined)

export function useDraft(): Draft {
  const draft = useContext(DraftContext)
  if (draft === undefined) throw new Error('useDraft needs a DraftContext above it')
  return draft
}
