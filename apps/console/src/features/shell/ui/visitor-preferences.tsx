import { startTransition } from 'react'
import { useI18n, useTexts } from '~/lib/i18n/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '~/lib/i18n/texts.ts'
import { useStore } from '~/lib/store/use-store.ts'
import { type Theme, THEMES } from '~/lib/theme/theme.ts'
import { useTheme } from '~/lib/theme/use-theme.ts'
import { IconButton } from '~/ui/button.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { MoonIcon, ScreenIcon, SunIcon } from './preference-icons.tsx'

const THEME_PICTURES = { light: SunIcon, dark: MoonIcon, system: ScreenIcon } as const

/** Language and theme for visitors, in controls that need no code of their own. Users have them in their menu. */
export function VisitorPreferences() {
  const t = useTexts(shellTexts)
  const { locale } = useI18n()
  const theme = useTheme()
  const current = useStore(theme)
  const Picture = THEME_PICTURES[current]
  return (
    <>
      <select
        aria-label={t.language}
        value={useStore(locale)}
        onChange={(event) => {
          const chosen = LOCALES.find((name) => name === event.target.value)
          if (chosen !== undefined) startTransition(() => locale.set(chosen))
        }}
        className="text-muted hover:bg-hover h-7 max-w-28 rounded-md bg-transparent px-1 text-sm"
      >
        {LOCALES.map((name) => (
          <option key={name} value={name} lang={name}>
            {LOCALE_NAMES[name]}
          </option>
        ))}
      </select>
      <IconButton label={`${t.theme}: ${t.themes[current]}`} onClick={() => theme.set(after(current))}>
        <Picture />
      </IconButton>
    </>
  )
}

function after(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
}
