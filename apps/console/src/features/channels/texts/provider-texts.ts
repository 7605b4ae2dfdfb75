import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './provider-en.ts'

/** Texts about each provider, its credentials and what became of it. */
export const providerTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./provider-zh-cn.ts')).zhCN,
}
