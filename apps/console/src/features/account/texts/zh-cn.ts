import type { Translation } from '../../../lib/i18n/texts.ts'
import type { en } from './en.ts'

export const zhCN: Translation<typeof en> = {
  title: '编辑账户',
  profile: '个人资料',
  profileText: '您的登录方式以及他人看到的名称。',
  username: '用户名',
  displayName: '显示名称',
  email: '电子邮箱',
  passwordSection: '密码',
  passwordText: '留空则保留当前密码。',
  password: '新密码',
  save: '更新',
  saving: '正在更新...',
  saved: '用户更新成功',
  failed: '更新失败',
  loadFailed: '加载用户失败',
  firstPassword: '此账户仍在使用众所周知的初始密码，任何人都能猜到：请立即设置新密码。',
  usernameRequired: '请输入用户名',
  usernameShort: '用户名至少需要 3 个字符',
  usernameLong: '用户名最多 30 个字符',
  displayNameLong: '显示名称最多 20 个字符',
  badEmail: '请输入有效的电子邮箱',
  passwordShort: '密码至少需要 8 个字符',
  passwordLong: '密码最多 72 字节',
}
