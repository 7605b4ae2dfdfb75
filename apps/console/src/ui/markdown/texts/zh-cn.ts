import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './markdown-texts.ts'

export const zhCN: Translation<typeof en> = {
  table: '表格',
  copyCode: '复制代码',
  formula: '公式',
  embedded: (host) => `${host} 的页面`,
  openEmbedded: (host) => `在新标签页中打开 ${host}`,
}
