import type { Translation } from '../../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  form: '新消息',
  message: '消息',
  placeholder: (models: string) => (models === '' ? '随便问点什么' : `向 ${models} 提问`),
  send: '发送',
  stop: '停止',
  generating: '生成中',
  nothingToSend: '请先输入内容。',
  imagesPending: '图片仍在处理中。',
  noToken: '请先选择令牌。',
  noModel: '请先选择模型。',
}
