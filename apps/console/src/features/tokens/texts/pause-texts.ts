import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './pause-en.ts'

export const pauseTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./pause-zh-cn.ts')).zhCN,
}
