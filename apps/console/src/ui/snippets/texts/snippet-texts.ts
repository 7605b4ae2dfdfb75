import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  snippets: 'First request',
  copySnippet: 'Copy code',
}

export const snippetTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
