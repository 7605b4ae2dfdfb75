import { useTexts } from '~/lib/i18n/i18n.ts'
import { isKnownSetting } from '../model/settings.ts'
import { settingTexts } from '../texts/option-texts.ts'
import type { SettingTexts } from '../texts/settings-en.ts'

/** The texts of settings in the chosen language; a setting that this console does not know is called by its key. */
export function useSettingTexts(): (key: string) => SettingTexts {
  const t = useTexts(settingTexts)
  return (key) => (isKnownSetting(key) ? t[key] : { label: key, help: '' })
}
