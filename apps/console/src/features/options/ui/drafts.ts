import { createContext, useContext, useSyncExternalStore } from 'react'
import { type Store, useStore } from '~/lib/store/store.ts'

/** Unsaved entries, by key. They outlive their rows, which a search can take off the page. */
export type Drafts = ReadonlyMap<string, string>

export const DraftsContext = createContext<Store<Drafts> | undefined>(undefined)

function useDraftStore(): Store<Drafts> {
  const store = useContext(DraftsContext)
  if (store === undefined) throw new Error('useDrafts needs a DraftsContext above it')
  return store
}

export function useDrafts(): Drafts {
  return useStore(useDraftStore())
}

/** The unsaved entry of one setting, and how to change it; `undefined` shows what is stored. */
export function useDraft(key: string): readonly [string | undefined, (entry: string | undefined) => void] {
  const store = useDraftStore()
  // Not the whole map: rows are not re-rendered for what is typed in others.
  const draft = useSyncExternalStore(store.subscribe, () => store.get().get(key))
  return [
    draft,
    (entry) => {
      const next = new Map(store.get())
      if (entry === undefined) next.delete(key)
      else next.set(key, entry)
      store.set(next)
    },
  ]
}
