import type { CatalogueEntry } from './catalogue-entry.ts'

export const CHANNEL_ERRORS = {
  job_running: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'later',
    text: '{what} is already running.',
    chinese: '{what}已在进行中。',
  },
  channel_changed: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'Someone else has changed the channel in the meantime. Reload it.',
    chinese: '渠道已被他人修改，请重新加载。',
  },
  channel_key_lost: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'The key of this channel cannot be decrypted with the current master key.',
    chinese: '无法用当前的主密钥打开该渠道的密钥。',
  },
  last_key: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'This is the channel’s only enabled key. Disable or delete the channel instead.',
    chinese: '该渠道没有其他启用的密钥；请改为禁用或删除渠道。',
  },
  balance_unsupported: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'Channels of type {type} do not report a balance.',
    chinese: '类型为 {type} 的渠道不支持查询余额。',
  },
  balance_unread: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'The balance could not be read from the provider: {reason}.',
    chinese: '无法从提供商读取余额：{reason}。',
  },
  models_unsupported: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'Channels of type {type} cannot list their models with this kind of key.',
    chinese: '使用这种密钥的 {type} 类型渠道不支持查询模型列表。',
  },
  models_unread: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'The models could not be read from the provider: {reason}.',
    chinese: '无法从提供商读取模型列表：{reason}。',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>
