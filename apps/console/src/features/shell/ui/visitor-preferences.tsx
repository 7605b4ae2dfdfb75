import { startTransition } from 'react'
import { useI18n, useTexts } from '~/lib/i18n/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '~/lib/i18n/texts.ts'
import { useStore } from '~/lib/store.ts'
import { type Theme, THEMES, useTheme } from '~/lib/theme.ts'
import { IconButton } from '~/ui/button.tsx'
import { icon } from '~/ui/icon.tsx'
import { shellTexts } from '../texts/shell-texts.ts'

export const SunIcon = icon(
  'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
)
export const MoonIcon = icon('M13 9.6A5.5 5.5 0 0 1 6.4 3a5.3 5.3 0 1 0 6.6 6.6Z')
export const ScreenIcon = icon('M2 3h12v8H2zM5.5 13.5h5')
export const LanguageIcon = icon(
  'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM2 8h12M8 1.8c1.8 1.7 2.7 3.8 2.7 6.2S9.8 12.5 8 14.2M8 1.8C6.2 3.5 5.3 5.6 5.3 8S6.2 12.5 8 14.2',
)

const THEME_PICTURES = { light: SunIcon, dark: MoonIcon, system: ScreenIcon } as const

/** Controls that need no code of their own. Users have them in their menu. */
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
