import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './audit-en.ts'

export const auditTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./audit-zh-cn.ts')).zhCN,
}
