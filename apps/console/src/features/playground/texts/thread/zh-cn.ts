import type { Translation } from '../../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  title: '操练场',
  settings: '操练场设置',
  showSettings: '显示设置',
  hideSettings: '隐藏设置',
  newConversation: '新对话',
  compare: '对比两个模型',
  focusMode: '专注模式',
  clear: '清空对话',
  cleared: '对话已清空',
  undo: '撤销',
  more: '更多操作',
}
