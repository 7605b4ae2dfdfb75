import { createContext, useContext } from 'react'
import { STORAGE_KEYS } from './storage/keys.ts'
import type { KeyValueStorage } from './storage/stored-record.ts'
import { createStore, type Store } from './store.ts'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** 'system' sets no attribute, so that the media query of the style sheet follows the operating system at once. */
export function createTheme(storage: KeyValueStorage, root: HTMLElement): Store<Theme> {
  const stored = storage.getItem(STORAGE_KEYS.theme)
  const store = createStore<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')
  return {
    get: store.get,
    subscribe: store.subscribe,
    set(theme) {
      if (theme === 'system') delete root.dataset['theme']
      else root.dataset['theme'] = theme
      storage.setItem(STORAGE_KEYS.theme, theme)
      store.set(theme)
    },
  }
}

export const ThemeContext = createContext<Store<Theme> | undefined>(undefined)

export function useTheme(): Store<Theme> {
  const theme = useContext(ThemeContext)
  if (theme === undefined) throw new Error('useTheme needs a ThemeContext above it')
  return theme
}
