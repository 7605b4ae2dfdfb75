import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Sign in',
  username: 'Username',
  password: 'Password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  submit: 'Sign in',
  submitting: 'Signing in…',
  usernameRequired: 'Username is required',
  passwordRequired: 'Password is required',
  passwordsOff: 'Only the operator can sign in with a password here.',
  totp: 'One-time code',
  totpHint: 'Enter the 6-digit code from your authenticator app.',
  totpRequired: 'Please enter your TOTP code',
  totpLength: 'TOTP code must be 6 digits',
  recoveryCode: 'Recovery code',
  recoveryHint: 'Enter one of your recovery codes. Each can be used once.',
  useRecoveryCode: 'Use a recovery code',
  useTotp: 'Use the authenticator app',
  verifyTotp: 'Verify TOTP',
  backToLogin: 'Back to Login',
  passkey: 'Sign in with a passkey',
  passkeyUnused: 'No passkey was used.',
  challengeOpen: 'Please complete the verification to continue.',
  failed: 'Login failed',
  sessionEnded: 'Your session has ended. Sign in to continue where you left off.',
  timeout: 'The server did not answer in time. Try again.',
  network: 'The server cannot be reached. Check your connection.',
  forgotPassword: 'Forgot password?',
  createAccount: 'Create an account',
}

export const sessionTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
