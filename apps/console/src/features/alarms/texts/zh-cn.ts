import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  title: '缺少的价格',
  subtitle: '渠道没有定价的模型，以及模型的其他收费用量',
  banner: { one: '缺少 1 项价格。', many: (count) => `缺少 ${count} 项价格。` },
  show: '查看',
  empty: '所有被请求过的内容都有价格。',
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
