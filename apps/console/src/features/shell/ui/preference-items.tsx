import { startTransition } from 'react'
import { useI18n, useTexts } from '~/lib/i18n/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '~/lib/i18n/texts.ts'
import { useStore } from '~/lib/store/store.ts'
import { THEMES, useTheme } from '~/lib/theme/theme.ts'
import { CheckIcon } from '~/ui/icon.tsx'
import { MenuGroup, MenuItem } from '~/ui/menu.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { LanguageIcon, MoonIcon, ScreenIcon, SunIcon } from './visitor-preferences.tsx'

const THEME_PICTURES = { light: SunIcon, dark: MoonIcon, system: ScreenIcon } as const

/** Theme and language as parts of the account menu. */
export function PreferenceItems() {
  const t = useTexts(shellTexts)
  const theme = useTheme()
  const { locale } = useI18n()
  const currentTheme = useStore(theme)
  const currentLocale = useStore(locale)
  return (
    <>
      <MenuGroup label={t.theme}>
        {THEMES.map((choice) => {
          const Picture = THEME_PICTURES[choice]
          return (
            <MenuItem key={choice} checked={choice === currentTheme} onSelect={() => theme.set(choice)}>
              <Picture />
              <span className="grow">{t.themes[choice]}</span>
              {choice === currentTheme && <CheckIcon />}
            </MenuItem>
          )
        })}
      </MenuGroup>
      <MenuGroup label={t.language}>
        {LOCALES.map((choice) => (
          <MenuItem
            key={choice}
            checked={choice === currentLocale}
            onSelect={() => startTransition(() => locale.set(choice))}
          >
            <LanguageIcon />
            <span lang={choice} className="grow">
              {LOCALE_NAMES[choice]}
            </span>
            {choice === currentLocale && <CheckIcon />}
          </MenuItem>
        ))}
      </MenuGroup>
    </>
  )
}
