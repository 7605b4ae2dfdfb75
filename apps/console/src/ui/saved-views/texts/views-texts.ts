import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  views: 'Views',
  noViews: 'No saved views yet',
  thisView: 'This view',
  save: 'Save view…',
  saveTitle: 'Save view',
  saveText: 'The current filters, order and columns, stored in this browser.',
  name: 'Name',
  nameRequired: 'Name is required',
  saveButton: 'Save',
  replaces: 'This replaces the view with that name.',
  saved: (name: string) => `View “${name}” saved`,
  remove: (name: string) => `Delete “${name}”`,
  removed: (name: string) => `View “${name}” deleted`,
  undo: 'Undo',
}

export const viewsTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
