import type { CatalogueEntry } from './catalogue-entry.ts'

/** The management API except accounts and channels. The relay also uses `not_found`, `refused` and `internal`. */
export const MANAGEMENT_ERRORS = {
  not_found: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'never',
    text: '{what} not found.',
    chinese: '未找到{what}。',
  },
  trace_not_found: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'never',
    management: true,
    text: 'Trace not found.',
    chinese: '未找到追踪记录。',
  },
  receipt_not_found: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'never',
    management: true,
    text: 'No receipt is available: nothing was charged, or the rows have been cleared.',
    chinese: '没有收据：这里没有产生费用，或其记录已被清除。',
  },
  refused: { status: 400, type: 'invalid_request_error', retry: 'changed', text: '{reason}', chinese: '{reason}' },
  internal: {
    status: 500,
    type: 'sluice_error',
    retry: 'later',
    management: true,
    text: 'Something went wrong in the gateway. Quote the request id when you report it.',
    chinese: '出现内部错误；可凭请求 ID 排查。',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>
