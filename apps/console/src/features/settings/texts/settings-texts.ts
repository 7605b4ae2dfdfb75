import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Settings',
  import: 'Import from another gateway',
  tabs: { personal: 'Personal', operation: 'Operation', system: 'System', other: 'Other' },
}

export const settingsTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
