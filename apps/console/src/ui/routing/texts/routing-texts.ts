import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './en.ts'

/** Texts about the routing of a request, before and after it was sent. */
export const routingTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
