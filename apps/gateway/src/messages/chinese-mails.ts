import { ENGLISH } from './english-mails.ts'
import type { MailTexts } from './mail.ts'

const PERIODS = { day: '本日', week: '本周', month: '本月' } as const

export const CHINESE: MailTexts = {
  verification_code: ({ code, minutes }, system) => ({
    subject: `${system}：您的验证码`,
    paragraphs: [
      '您的验证码是：',
      { strong: code },
      `验证码 ${minutes} 分钟内有效，仅可使用一次。如果不是您本人操作，请忽略此邮件。`,
    ],
  }),
  password_reset: ({ username, link, minutes }, system) => ({
    subject: `${system}：重置密码`,
    paragraphs: [
      `请打开以下页面，为账户 ${username} 设置新密码：`,
      { strong: link },
      `链接 ${minutes} 分钟内有效，仅可使用一次。如果不是您本人操作，请忽略此邮件。`,
    ],
  }),
  email_changed: ({ username }, system) => ({
    subject: `${system}：您的邮箱地址已更改`,
    paragraphs: [
      `账户 ${username} 已不再使用此邮箱地址。`,
      '如果不是您本人操作，请登录后设置新密码并改回您的邮箱地址，或联系管理员。',
    ],
  }),
  quota_low: ({ username, quota, link }, system) => ({
    subject: `${system}：您的额度即将用尽`,
    paragraphs: [
      `您的账户 ${username} 剩余额度为 ${quota}。额度用尽后请求将被拒绝。`,
      ...(link === '' ? [] : ['您可以在此充值：', { strong: link }]),
    ],
  }),
  budget_low: ({ token, username, period, quota }, system) => ({
    subject: `${system}：预算即将用尽`,
    paragraphs: [
      `${token === '' ? `您的账户 ${username}` : `您的令牌 ${token}（账户 ${username}）`}${PERIODS[period]}的预算 ${quota} 即将用尽。`,
      '预算用尽后请求将被拒绝，直到下一周期开始。',
    ],
  }),
  charges_corrected: ({ count, requestId }, system) => ({
    subject: `${system}：扣费已更正`,
    paragraphs: [
      `有 ${count} 笔扣费在完成后被更正，其中包括请求 ${requestId}。`,
      '某个进程暂停超过一分钟，其他进程视其为已停止，并按已知用量结清了它的请求。账目无误，请检查该机器。',
    ],
  }),
  channel_disabled: ({ channel, id, reason }, system) => ({
    subject: `${system}：渠道 ${channel}（#${id}）已被禁用`,
    paragraphs: [`渠道 ${channel}（#${id}）已被禁用，原因：${reason}`],
  }),
  channel_enabled: ({ channel, id }, system) => ({
    subject: `${system}：渠道 ${channel}（#${id}）已被启用`,
    paragraphs: [`渠道 ${channel}（#${id}）已恢复响应并被启用。`],
  }),
  channel_key_disabled: ({ channel, id, key, reason }, system) => ({
    subject: `${system}：渠道 ${channel}（#${id}）的一个密钥已被禁用`,
    paragraphs: [
      `渠道 ${channel}（#${id}）的第 ${key} 个密钥已被禁用，原因：${reason}`,
      '该渠道的其他密钥仍在使用。一小时内如有更多密钥被禁用，仅在该渠道的密钥列表中显示。',
    ],
  }),
  channel_keys_enabled: ({ channel, id }, system) => ({
    subject: `${system}：渠道 ${channel}（#${id}）的密钥已恢复`,
    paragraphs: [`渠道 ${channel}（#${id}）此前被禁用的密钥均已恢复可用并被启用。`],
  }),
  channels_tested: ({ tested, failed }, system) => ({
    subject: `${system}：渠道测试完成`,
    paragraphs: [`共测试 ${tested} 个渠道，其中 ${failed} 个失败。`],
  }),
  books_wrong: ({ invariants }, system) => ({
    subject: `${system}：账目有误`,
    paragraphs: [
      `账目核验发现以下不变量不成立：${invariants.join('、')}。`,
      '每项的第一条错误记录见控制台的“审计”，或运行：sluice ledger verify --full',
    ],
  }),
  database_replaced: ({ path }, system) => ({
    subject: `${system}：数据库文件被删除或替换`,
    paragraphs: [
      `网关正在写入 ${path} 时，其他程序删除或替换了该文件。`,
      '网关将停止运行，以便把尚未落盘的数据写回。请重新启动网关，运行 sluice ledger verify --full，并查明是什么程序改动了该文件。',
    ],
  }),
  backup_failed: ({ place, problem, latest }, system) => ({
    subject: `${system}：备份失败`,
    paragraphs: [
      `写入 ${place} 的定时备份失败：${problem}`,
      latest === ''
        ? '该处尚无成功的备份。网关会在一小时内重试。'
        : `最近一次成功的备份生成于 ${latest}。网关会在一小时内重试。`,
      '查看现有备份：sluice backups',
    ],
  }),
  plain: ENGLISH.plain,
}
