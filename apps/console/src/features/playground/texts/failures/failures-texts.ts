import type { TextSet, Translation } from '~/lib/i18n/texts.ts'
import { en } from './en.ts'

export type FailureTexts = Translation<typeof en>

export const failuresTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
