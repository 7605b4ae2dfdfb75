import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './en.ts'

/** Texts of the UI components themselves. */
export const uiTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
