import type { Translation } from '../../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  messages: '消息',
  jumpToNewest: '跳到最新',
}
