import type { Translation } from '../../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  cancelled: '请求已取消',
}
