import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  title: '提醒',
  subtitle: '渠道没有定价的模型及其他收费用量，以及正在使用但即将停用的模型',
  banner: {
    one: '1 条提醒：缺少价格，或模型即将停用。',
    many: (count) => `${count} 条提醒：缺少价格，或模型即将停用。`,
  },
  show: '查看',
  empty: '所有被请求过的内容都有价格，正在使用的模型也没有即将停用的。',
  columns: {
    model: '模型',
    problem: '问题',
    channel: '渠道',
    count: '请求次数',
    first: '首次',
    last: '最近',
    actions: '操作',
  },
  noPrice: '没有价格',
  endsSoon: '即将停用',
  openChannel: (channel) => `打开 ${channel}`,
  channelGone: '已删除的渠道',
  setPrice: (channel) => `在 ${channel} 中设置价格`,
  dismiss: '忽略',
  dismissOne: (model) => `忽略 ${model}`,
  dismissed: '已忽略。一周后若仍然发生，会再次提醒。',
  dismissFailed: '无法忽略',
  refresh: '刷新',
}
