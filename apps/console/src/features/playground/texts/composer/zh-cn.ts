import type { Translation } from '../../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  form: '新消息',
  message: '消息',
  placeholder: (model: string) => (model === '' ? '随便问点什么' : `向 ${model} 提问`),
  send: '发送',
  stop: '停止',
  generating: '生成中',
  hint: 'Enter 发送，Shift 加 Enter 换行',
  nothingToSend: '请先输入内容。',
  noToken: '请先选择令牌。',
  noModel: '请先选择模型。',
  models: (names: string) => `提问对象：${names}。打开设置`,
}
