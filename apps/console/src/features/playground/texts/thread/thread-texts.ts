import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './en.ts'

export const threadTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
