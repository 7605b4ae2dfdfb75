import type { TextSet } from '../../../lib/i18n/texts.ts'
import { en } from './routing-en.ts'

/** What is said of the health of channels and of the ways of requests. */
export const channelRoutingTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./routing-zh-cn.ts')).zhCN,
}
