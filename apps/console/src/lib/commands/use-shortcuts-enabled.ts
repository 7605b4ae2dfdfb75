import { createContext, useContext } from 'react'
import type { Store } from '../store/store.ts'

/** Whether single-key shortcuts are on. */
export const ShortcutsEnabledContext = createContext<Store<boolean> | undefined>(undefined)

export function useShortcutsEnabled(): Store<boolean> {
  const store = useContext(ShortcutsEnabledContext)
  if (store === undefined) throw new Error('useShortcutsEnabled needs a ShortcutsEnabledContext above it')
  return store
}
