import type { CatalogueEntry } from './catalogue-entry.ts'

export const QUOTA_ERRORS = {
  insufficient_user_quota: {
    status: 403,
    type: 'insufficient_quota',
    retry: 'later',
    text: 'The account’s quota is too low for this request.',
    chinese: '账号额度不足以完成此请求。',
  },
  pre_consume_token_quota_failed: {
    status: 403,
    type: 'insufficient_quota',
    retry: 'later',
    text: 'The token’s quota is too low for this request.',
    chinese: '令牌额度不足以完成此请求。',
  },
  user_budget_exhausted: {
    status: 403,
    type: 'insufficient_quota',
    retry: 'later',
    text: 'The account’s {period} budget is too low for this request. It resets at {resets}.',
    chinese: '账号的{period}预算不足以完成此请求，将于 {resets} 重新开始。',
  },
  token_budget_exhausted: {
    status: 403,
    type: 'insufficient_quota',
    retry: 'later',
    text: 'The token’s {period} budget is too low for this request. It resets at {resets}.',
    chinese: '令牌的{period}预算不足以完成此请求，将于 {resets} 重新开始。',
  },
  model_price_missing: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    text: 'The model "{model}" has no price. An administrator can set one in the channel’s model configs.',
    chinese: '模型 "{model}" 没有价格。管理员可以在渠道的模型配置中设置。',
  },
  ledger_unavailable: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    text: 'Charges cannot be recorded at the moment, so no requests are accepted.',
    chinese: '目前无法记账，因此不接受任何请求。',
  },
  database_unavailable: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    management: true,
    text: 'The database is not available at the moment: it is full, unreachable or too slow. Try again shortly.',
    chinese: '数据库目前无法使用（空间已满、无法连接或响应过慢），请稍后再试。',
  },
  session_paused: {
    // Agents retry a 429 automatically; `X-Should-Retry` tells those that know it not to.
    status: 429,
    type: 'rate_limit_error',
    retry: 'changed',
    text: 'Paused by a rule of this token: {reason}. {advice}',
    chinese: '此令牌的一条规则已将其暂停：{reason}。{advice}',
  },
  stream_quota_exhausted: {
    status: 403,
    type: 'insufficient_quota',
    retry: 'later',
    text: 'The quota ran out during this answer.',
    chinese: '额度在此次回答过程中用尽。',
  },
  refund_too_large: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'At most {left} more quota points of this charge can be refunded.',
    chinese: '退还的额度不能超过该笔费用的剩余部分：{left} 额度点。',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>
