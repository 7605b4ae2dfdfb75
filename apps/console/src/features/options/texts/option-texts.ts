import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './en.ts'
import { settingsEn } from './settings-en.ts'

/** Of the tabs themselves. */
export const optionTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}

export const settingTexts: TextSet<typeof settingsEn> = {
  en: settingsEn,
  'zh-CN': async () => (await import('./settings-zh-cn.ts')).settingsZhCN,
}
