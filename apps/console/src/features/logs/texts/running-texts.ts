import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './running-en.ts'

export const runningTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./running-zh-cn.ts')).zhCN,
}
