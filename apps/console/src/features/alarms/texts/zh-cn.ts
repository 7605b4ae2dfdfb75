import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  title: '未定价的模型',
  subtitle: '曾被请求、但所在渠道没有价格的模型',
  banner: (models) => `${models}被请求，但没有价格。`,
  models: { one: '有 1 个模型', many: (count) => `有 ${count} 个模型` },
  show: '查看',
  empty: '所有被请求过的模型都有价格。',
  columns: {
    model: '模型',
    channel: '渠道',
    count: '请求次数',
    first: '首次',
    last: '最近',
    actions: '操作',
  },
  channelGone: '已删除的渠道',
  setPrice: (channel) => `在 ${channel} 中设置价格`,
  dismiss: '忽略',
  dismissOne: (model) => `忽略 ${model}`,
  dismissed: '已忽略。一周后若仍然发生，会再次提醒。',
  dismissFailed: '无法忽略',
  refresh: '刷新',
}
