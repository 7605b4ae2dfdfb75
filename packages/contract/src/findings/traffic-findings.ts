import type { FindingEntry } from './finding-entry.ts'

export const TRAFFIC_FINDINGS = {
  'channels.ok': {
    severity: 'ok',
    finding: 'Enabled channels: {count}. All their keys can be decrypted.',
    chinese: { finding: '{count} 个渠道已启用，密钥均可解密。' },
  },
  'channels.tested': {
    severity: 'ok',
    finding: 'Enabled channels that answered a test: {count}.',
    chinese: { finding: '{count} 个已启用的渠道通过了测试。' },
  },
  'channels.none': {
    severity: 'note',
    finding: 'There is no channel yet.',
    remedy: 'Add one; without a channel no model can be called.',
    link: '/channels/add',
    chinese: { finding: '还没有渠道。', remedy: '请添加渠道：没有渠道就无法调用模型。' },
  },
  'channels.all_off': {
    severity: 'problem',
    finding: 'Enabled channels: 0 of {count}.',
    remedy: 'Enable one; until then every request is refused.',
    link: '/channels',
    chinese: { finding: '没有已启用的渠道；共有 {count} 个渠道。', remedy: '请启用渠道：在此期间所有请求都会被拒绝。' },
  },
  'channels.key': {
    severity: 'problem',
    finding: 'None of the available master keys decrypts the key of channel {subject}.',
    remedy: 'Add the missing master key again after the newest one, or enter the provider’s key again.',
    link: '/channels/edit/{channel}',
    chinese: {
      finding: '现有主密钥均无法解密渠道 {subject} 的密钥。',
      remedy: '请将缺少的主密钥放回（排在最新密钥之后），或重新填写该渠道的密钥。',
    },
  },
  'channels.off': {
    severity: 'warning',
    finding: 'Channel {subject} was switched off automatically on {since}: {reason}',
    remedy: 'Fix the cause, test the channel and enable it.',
    link: '/channels/edit/{channel}',
    chinese: {
      finding: '渠道 {subject} 于 {since} 被自动停用：{reason}',
      remedy: '请排除原因，测试该渠道后重新启用。',
    },
  },
  'channels.keys_off': {
    severity: 'warning',
    finding: '{off} of the {all} keys of channel {subject} are switched off.',
    remedy: 'Replace the keys that the provider refuses; the channel’s page gives the reason for each.',
    link: '/channels/edit/{channel}',
    chinese: {
      finding: '渠道 {subject} 的 {all} 个密钥中有 {off} 个已停用。',
      remedy: '请更换被提供方拒绝的密钥；渠道页面会说明每个密钥的停用原因。',
    },
  },
  'channels.settings': {
    severity: 'problem',
    finding: 'Channel {subject} is never used, because its settings cannot be read: {reason}.',
    remedy: 'Correct model_mapping or model_configs of the channel.',
    link: '/channels/edit/{channel}',
    chinese: {
      finding: '渠道 {subject} 的设置无法读取，因此从不使用：{reason}。',
      remedy: '请更正该渠道的 model_mapping 或 model_configs。',
    },
  },
  'channels.test_failed': {
    severity: 'problem',
    finding: 'Channel {subject} failed its test: {reason}',
    remedy: 'Fix the cause that the reason gives.',
    link: '/channels/edit/{channel}',
    chinese: { finding: '渠道 {subject} 未通过测试：{reason}', remedy: '请按原因修正。' },
  },
  'models.ok': {
    severity: 'ok',
    finding: 'Every model of an enabled channel has a price, and none will be retired within {days} days.',
    chinese: { finding: '已启用渠道的所有模型都有价格，{days} 天内没有模型停用。' },
  },
  'models.unpriced': {
    severity: 'warning',
    finding: 'Channel {subject} offers models without a price ({count}), so their calls are refused: {models}.',
    remedy: 'Set their prices in the channel’s model configs or in PriceOverrides, or remove them from the channel.',
    link: '/channels/edit/{channel}',
    chinese: {
      finding: '渠道 {subject} 提供 {count} 个没有价格的模型，其调用会被拒绝：{models}。',
      remedy: '请在渠道的 model_configs 或 PriceOverrides 中设置价格，或从渠道中移除这些模型。',
    },
  },
  'models.unpriced_charged': {
    severity: 'note',
    finding:
      'Channel {subject} offers models without a price ({count}), charged according to UnpricedModelPolicy: {models}.',
    remedy: 'Set their prices if you know them.',
    link: '/channels/edit/{channel}',
    chinese: {
      finding: '渠道 {subject} 提供 {count} 个没有价格的模型，按 UnpricedModelPolicy 计费：{models}。',
      remedy: '如知道价格，请进行设置。',
    },
  },
  'models.ending': {
    severity: 'warning',
    finding:
      '{model} on channel {subject} will be retired by its vendor on {until}; requests of the last seven days: {requests}.',
    remedy: 'Tell its users, and map it to its successor or configure a fallback before that day.',
    link: '/channels/edit/{channel}',
    chinese: {
      finding: '渠道 {subject} 的 {model} 将于 {until} 被厂商停用；最近七天有 {requests} 次请求。',
      remedy: '请通知使用者，并在此之前将其映射到后续模型或设置备用模型。',
    },
  },
  'models.ending_unused': {
    severity: 'note',
    finding:
      '{model} on channel {subject} will be retired by its vendor on {until}; nobody called it in the last seven days.',
    remedy: 'Remove it from the channel before that day.',
    link: '/channels/edit/{channel}',
    chinese: {
      finding: '渠道 {subject} 的 {model} 将于 {until} 被厂商停用；最近七天无人调用。',
      remedy: '请在此之前从渠道中移除。',
    },
  },
  'models.ended': {
    severity: 'warning',
    finding: '{model} on channel {subject} was retired by its vendor on {until}.',
    remedy: 'Remove it from the channel, or map it to its successor.',
    link: '/channels/edit/{channel}',
    chinese: {
      finding: '渠道 {subject} 的 {model} 已于 {until} 被厂商停用。',
      remedy: '请从渠道中移除，或映射到后续模型。',
    },
  },
  'models.alarms': {
    severity: 'note',
    finding: 'Open alarms: {count}.',
    remedy: 'Review them: missing prices, and models that will be retired.',
    link: '/alarms',
    chinese: { finding: '有 {count} 条提醒未处理。', remedy: '请查看：缺少的价格和即将停用的模型。' },
  },
  'accounts.ok': {
    severity: 'ok',
    finding:
      'Root’s password has been changed from the default, and all administrators use a second factor or a passkey.',
    chinese: { finding: '超级管理员已更换初始密码，所有管理员都启用了两步验证或通行密钥。' },
  },
  'accounts.default_password': {
    severity: 'problem',
    finding: '{subject} still has the well-known default password, and the gateway listens on {host}.',
    remedy: 'Change it now. Until then root can sign in only from this machine, or through other programs on it.',
    link: '/settings',
    chinese: {
      finding: '{subject} 仍使用众所周知的初始密码，而网关正在 {host} 上监听。',
      remedy: '请立即修改。在此之前超级管理员只能从本机登录，或经由本机上的程序登录。',
    },
  },
  'accounts.default_password_local': {
    severity: 'warning',
    finding: '{subject} still has the well-known default password.',
    remedy: 'Change it before others can reach the gateway.',
    link: '/settings',
    chinese: { finding: '{subject} 仍使用众所周知的初始密码。', remedy: '请在他人能访问网关之前修改。' },
  },
  'accounts.one_step': {
    severity: 'note',
    finding: 'Administrators with neither two-factor authentication nor a passkey ({count}): {names}.',
    remedy: 'Ask them to set one up under Settings → Personal, so that a stolen password alone is not enough.',
    link: '/users',
    chinese: {
      finding: '{count} 位管理员既没有两步验证也没有通行密钥：{names}。',
      remedy: '请他们在“设置 → 个人”中启用：这样仅凭被盗的密码无法登录。',
    },
  },
} as const satisfies Readonly<Record<string, FindingEntry>>
