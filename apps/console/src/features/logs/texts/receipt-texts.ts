import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './receipt-en.ts'

export const receiptTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./receipt-zh-cn.ts')).zhCN,
}
