import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  title: '登录',
  username: '用户名',
  password: '密码',
  showPassword: '显示密码',
  hidePassword: '隐藏密码',
  submit: '登录',
  submitting: '正在登录…',
  usernameRequired: '请输入用户名',
  passwordRequired: '请输入密码',
  totp: '一次性验证码',
  totpHint: '请输入身份验证器应用中的 6 位验证码。',
  totpRequired: '请输入 TOTP 验证码',
  totpLength: 'TOTP 验证码必须为 6 位数字',
  verifyTotp: '验证 TOTP',
  backToLogin: '返回登录',
  failed: '登录失败',
  timeout: '服务器未及时响应，请重试。',
  network: '无法连接服务器，请检查网络。',
  forgotPassword: '忘记密码？',
  createAccount: '创建账户',
}
