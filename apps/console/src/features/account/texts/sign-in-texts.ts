import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './sign-in-en.ts'

export const signInTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./sign-in-zh-cn.ts')).zhCN,
}
