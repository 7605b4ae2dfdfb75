import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './views-texts.ts'

export const zhCN: Translation<typeof en> = {
  views: '视图',
  noViews: '还没有保存的视图',
  thisView: '此视图',
  save: '保存视图…',
  saveTitle: '保存视图',
  saveText: '当前的筛选条件、排序和列，保存在此浏览器中，仅供您使用。',
  name: '名称',
  nameRequired: '请输入名称',
  saveButton: '保存',
  replaces: '同名视图将被替换。',
  saved: (name) => `视图“${name}”已保存`,
  remove: (name) => `删除“${name}”`,
  removed: (name) => `视图“${name}”已删除`,
  undo: '撤销',
}
