import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './first-steps-texts.ts'

export const zhCN: Translation<typeof en> = {
  title: '快速开始',
  progress: (done, all) => `已完成 ${done}/${all}`,
  done: '已完成',
  open: '待完成',
  collapse: '收起',
  dismiss: '不再显示',
  steps: {
    token: '创建令牌',
    call: '发出第一次调用',
    balance: '充值余额',
    twoFactor: '启用两步验证',
    channel: '添加渠道',
    channelTest: '测试渠道',
    prices: '为每个模型设置价格',
    user: '邀请用户',
  },
}
