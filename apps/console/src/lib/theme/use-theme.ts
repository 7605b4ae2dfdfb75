import { createContext, useContext } from 'react'
import type { Store } from '../store/store.ts'
import type { Theme } from './theme.ts'

export const ThemeContext = createContext<Store<Theme> | undefined>(undefined)

export function useTheme(): Store<Theme> {
  const theme = useContext(ThemeContext)
  if (theme === undefined) throw new Error('useTheme needs a ThemeContext above it')
  return theme
}
