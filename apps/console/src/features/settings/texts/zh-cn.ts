import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './settings-texts.ts'

export const zhCN: Translation<typeof en> = {
  title: '设置',
  import: '从其他网关导入',
  tabs: { personal: '个人', operation: '运营', system: '系统', other: '其他' },
}
