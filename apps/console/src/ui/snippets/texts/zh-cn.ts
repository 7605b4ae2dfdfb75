import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './snippet-texts.ts'

export const zhCN: Translation<typeof en> = {
  snippets: '第一个请求',
  copySnippet: '复制代码',
}
