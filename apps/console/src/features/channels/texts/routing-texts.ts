import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './routing-en.ts'

/** Texts about the health of channels and the routing of requests. */
export const channelRoutingTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./routing-zh-cn.ts')).zhCN,
}
