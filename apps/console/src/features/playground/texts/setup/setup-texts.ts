import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './en.ts'

/** Texts of what is set for a conversation. */
export const setupTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
