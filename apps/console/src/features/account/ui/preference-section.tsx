import { startTransition } from 'react'
import { useShortcutsEnabled } from '~/lib/commands/use-shortcuts-enabled.ts'
import { useI18n, useTexts } from '~/lib/i18n/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '~/lib/i18n/texts.ts'
import { useStore } from '~/lib/store/use-store.ts'
import { THEMES } from '~/lib/theme/theme.ts'
import { useTheme } from '~/lib/theme/use-theme.ts'
import { Checkbox, Field, Select } from '~/ui/field.tsx'
import { accountTexts } from '../texts/account-texts.ts'
import { SectionCard } from './section-card.tsx'

/** How this browser shows the console; each choice takes effect at once. */
export function PreferenceSection() {
  const t = useTexts(accountTexts)
  const theme = useTheme()
  const { locale } = useI18n()
  const shortcuts = useShortcutsEnabled()
  const currentTheme = useStore(theme)
  const currentLocale = useStore(locale)
  return (
    <SectionCard id="preferences" title={t.preferences} text={t.preferencesText}>
      <Field label={t.theme}>
        {(ids) => (
          <Select
            {...ids}
            value={currentTheme}
            options={THEMES.map((value) => ({ value, label: t.themes[value] }))}
            onChange={(event) => theme.set(THEMES.find((value) => value === event.target.value) ?? 'system')}
          />
        )}
      </Field>
      <Field label={t.language}>
        {(ids) => (
          <Select
            {...ids}
            value={currentLocale}
            options={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
            onChange={(event) => {
              const chosen = LOCALES.find((value) => value === event.target.value)
              if (chosen !== undefined) startTransition(() => locale.set(chosen))
            }}
          />
        )}
      </Field>
      <Checkbox
        label={t.shortcuts}
        hint={t.shortcutsHint}
        checked={useStore(shortcuts)}
        onChange={(event) => shortcuts.set(event.target.checked)}
      />
    </SectionCard>
  )
}
