import type { Translation } from '../../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  token: 'API 令牌',
  model: '模型',
  secondModel: '第二个模型',
}
