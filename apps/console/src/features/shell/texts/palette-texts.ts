import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './palette-en.ts'

export const paletteTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./palette-zh-cn.ts')).zhCN,
}
