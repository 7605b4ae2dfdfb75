import type { CatalogueEntry } from './catalogue-entry.ts'

/** Signing in with another provider. None is 401 or 403, because no session is lost. */
export const PROVIDER_SIGN_IN_ERRORS = {
  oauth_state_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'This sign-in was not started in this browser, has expired or has already been used. Start again.',
    chinese: '此次登录不是在这个浏览器中开始的、已结束或已使用过，请重新开始。',
  },
  provider_disabled: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'Sign-in with {provider} is disabled.',
    chinese: '{provider} 登录已关闭。',
  },
  provider_failed: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'Sign-in with {provider} failed: {reason}.',
    chinese: '{provider} 登录失败：{reason}。',
  },
  identity_taken: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'This {provider} account is already linked to another user.',
    chinese: '该 {provider} 账号已绑定到这里的其他用户。',
  },
  account_disabled: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'This account has been disabled.',
    chinese: '该账号已被禁用。',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>
