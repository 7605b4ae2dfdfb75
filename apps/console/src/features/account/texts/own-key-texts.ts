import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './own-key-en.ts'

export const ownKeyTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./own-key-zh-cn.ts')).zhCN,
}
