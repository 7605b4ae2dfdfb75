import type { TextSet } from '../../../lib/i18n/texts.ts'
import { en } from './totp-en.ts'

export const totpTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./totp-zh-cn.ts')).zhCN,
}
