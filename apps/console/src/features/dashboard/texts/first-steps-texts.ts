import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './first-steps-en.ts'

export const firstStepsTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./first-steps-zh-cn.ts')).zhCN,
}
