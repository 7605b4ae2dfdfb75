import type { CatalogueEntry } from './catalogue-entry.ts'

export const UPSTREAM_ERRORS = {
  no_channel: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    text: 'No available channel for model {model} under group {group}.',
    chinese: '分组 {group} 下没有可用于模型 {model} 的渠道。',
  },
  providers_limited: {
    status: 429,
    type: 'rate_limit_error',
    retry: 'later',
    text: 'Every provider of the model "{model}" is rate limiting requests. Try again in {seconds} s.',
    chinese: '模型 "{model}" 的所有提供商都要求暂停，请在 {seconds} 秒后再试。',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    retry: 'later',
    management: true,
    text: 'The limit of {limit} has been exceeded. Try again in {seconds} s.',
    chinese: '超过了 {limit} 的上限，请在 {seconds} 秒后再试。',
  },
  overloaded: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    management: true,
    text: 'The gateway has reached its limit of {limit}. Try again shortly.',
    chinese: '网关已达到 {limit} 的上限，请稍后再试。',
  },
  call_stopped: {
    // Every vendor's clients retry 408, 409, 429 and 5xx automatically, but this call was stopped on purpose.
    status: 400,
    type: 'sluice_error',
    retry: 'never',
    text: 'This call was stopped by its owner or an administrator. The part received until then is charged.',
    chinese: '此调用已被其所有者或管理员停止，已送达的部分照常计费。',
  },
  shutting_down: {
    status: 503,
    type: 'sluice_error',
    retry: 'later',
    management: true,
    text: 'The gateway is shutting down. Try again shortly.',
    chinese: '网关正在关闭，请稍后再试。',
  },
  upstream_unreachable: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'The provider could not be reached.',
    chinese: '无法连接到提供商。',
  },
  upstream_timeout: {
    status: 504,
    type: 'upstream_error',
    retry: 'later',
    text: 'The provider did not answer within {seconds} s.',
    chinese: '提供商未在 {seconds} 秒内响应。',
  },
  upstream_broken: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    // After an error in a stream, opencode retries only if the text contains "try again in".
    text: 'The provider’s answer was interrupted: {reason}. Try again in a moment.',
    chinese: '提供商的响应中断：{reason}。请稍后重试。',
  },
  upstream_invalid: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'The provider’s answer could not be parsed: {reason}.',
    chinese: '无法理解提供商的响应：{reason}。',
  },
  upstream_rejected: { status: 502, type: 'upstream_error', retry: 'later', text: '{message}', chinese: '{message}' },
} as const satisfies Readonly<Record<string, CatalogueEntry>>
