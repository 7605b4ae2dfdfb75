import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  table: 'Table',
  copyCode: 'Copy code',
  formula: 'Formula',
  embedded: (host: string) => `Page from ${host}`,
  openEmbedded: (host: string) => `Open ${host} in a new tab`,
}

export const markdownTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
