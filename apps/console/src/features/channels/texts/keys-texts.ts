import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './keys-en.ts'

/** Texts about several keys of one channel. */
export const keyTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./keys-zh-cn.ts')).zhCN,
}
