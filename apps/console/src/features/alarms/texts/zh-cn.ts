import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './alarm-texts.ts'

export const zhCN: Translation<typeof en> = {
  title: '提醒',
  subtitle: '缺少的价格、正在使用但即将停用的模型，以及配置文件所管理内容的改动',
  banner: {
    one: '1 条提醒需要处理。',
    many: (count) => `${count} 条提醒需要处理。`,
  },
  show: '查看',
  empty: '所有被请求过的内容都有价格，正在使用的模型没有即将停用的，配置文件管理的内容也没有改动。',
  columns: {
    model: '模型或设置',
    problem: '问题',
    channel: '位置',
    count: '请求次数',
    first: '首次',
    last: '最近',
    actions: '操作',
  },
  noPrice: '没有价格',
  endsSoon: '即将停用',
  drift: '与配置文件不符',
  driftHelp: '此项由配置文件管理，但已被其他方式改动。请查看配置文件的变更计划，然后重新应用。',
  openSetting: (setting) => `打开设置 ${setting}`,
  openChannel: (channel) => `打开 ${channel}`,
  channelGone: '已删除的渠道',
  setPrice: (channel) => `在 ${channel} 中设置价格`,
  dismiss: '忽略',
  dismissOne: (model) => `忽略 ${model}`,
  dismissed: '已忽略。一周后若仍然发生，会再次提醒。',
  dismissFailed: '无法忽略',
  refresh: '刷新',
}
