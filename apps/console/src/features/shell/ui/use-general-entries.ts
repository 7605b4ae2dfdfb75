import { startTransition } from 'react'
import { copyText } from '~/lib/clipboard/copy-text.ts'
import { useCommandRegistry } from '~/lib/commands/use-commands.ts'
import { useI18n, useTexts } from '~/lib/i18n/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '~/lib/i18n/texts.ts'
import { baseUrlOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { useStore } from '~/lib/store/use-store.ts'
import { THEMES } from '~/lib/theme/theme.ts'
import { useTheme } from '~/lib/theme/use-theme.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import type { PaletteEntry } from '../model/palette-entries.ts'
import { paletteTexts } from '../texts/palette-texts.ts'
import { shellTexts } from '../texts/shell-texts.ts'

/** Actions available everywhere: theme, language, base address, the list of keys. */
export function useGeneralEntries(): readonly PaletteEntry[] {
  const t = useTexts(paletteTexts)
  const shell = useTexts(shellTexts)
  const theme = useTheme()
  const { locale } = useI18n()
  const toasts = useToasts()
  const { server_address } = useSystemStatus()
  const group = t.groups.general
  const help = useStore(useCommandRegistry()).find(({ id }) => id === 'help')
  const copyAddress = async () => {
    const address = baseUrlOf(server_address)
    const copied = await copyText(address)
    // If the clipboard is not available, the text can be copied from the toast itself.
    toasts.show({
      tone: copied ? 'good' : 'info',
      title: copied ? t.copiedBaseAddress : t.copyBaseAddress,
      text: address,
    })
  }
  const themes = THEMES.map((choice) => ({
    id: `theme.${choice}`,
    label: shell.themes[choice],
    group: t.switchTheme,
    alias: choice,
    run: () => theme.set(choice),
  }))
  const languages = LOCALES.map((choice) => ({
    id: `language.${choice}`,
    label: LOCALE_NAMES[choice],
    group: t.switchLanguage,
    run: () => startTransition(() => locale.set(choice)),
  }))
  return [
    { id: 'copy-address', label: t.copyBaseAddress, group, alias: 'base url', run: () => void copyAddress() },
    {
      id: 'theme',
      label: t.switchTheme,
      group,
      alias: 'theme dark light',
      page: { title: t.switchTheme, entries: themes },
    },
    {
      id: 'language',
      label: t.switchLanguage,
      group,
      alias: 'language 语言',
      page: { title: t.switchLanguage, entries: languages },
    },
    ...(help === undefined ? [] : [{ id: help.id, label: help.label, keys: help.keys, group, run: help.run }]),
  ]
}
