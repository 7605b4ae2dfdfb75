import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  by: {
    weight: '优先级高的在前；优先级相同的按权重抽取，都没有权重时均匀抽取。',
    session: '被识别为同一会话的一部分，会话会留在缓存其提示词的渠道和密钥上。',
    pin: '密钥指定了此渠道，因此不会询问其他渠道。',
  },
  order: '尝试顺序',
  nobody: '没有可用的渠道。',
  leftOut: '未考虑',
  more: (count) => `另有 ${count} 个本可服务；排在前面的已足够。`,
  keyOf: (position, of) => `第 ${position} 个密钥，共 ${of} 个`,
  keyAt: (position) => `第 ${position} 个密钥`,
  forModel: (model) => `以 ${model} 调用`,
  priority: (priority) => `优先级 ${priority}`,
  weight: (weight) => `权重 ${weight}`,
  lastResort: (time) => `休息至 ${time}，但因其他渠道太少仍会尝试`,
  until: (reason, time) => `${reason}，至 ${time}`,
  excluded: {
    disabled: '已禁用',
    auto_disabled: '失败后被网关禁用',
    paused: '因优先级为负而暂停',
    unusable: '其设置或密钥无法读取',
    key_disabled: '此密钥已关闭',
    not_served: '不提供此调用',
    price_missing: '没有该模型的价格',
    limited: '暂不调用，因为服务商要求减少调用',
    account: '暂不调用，因为服务商拒绝了密钥',
    failing: '暂不调用，因为失败过于频繁',
    probing: '另一个请求正在试探它',
    spare: '不需要：排在前面的渠道已足够',
  },
  cause: {
    limited: '服务商要求减少调用',
    account: '服务商拒绝了密钥或其账户',
    provider: '服务商未能正常工作',
    request: '请求本身被拒绝',
    setup: '渠道按现有设置无法调用',
    stopped: '在服务商应答之前已放弃',
  },
  restGiven: (time) => `因此暂不调用，至 ${time}`,
}
