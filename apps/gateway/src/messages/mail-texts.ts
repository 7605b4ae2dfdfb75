import type { Language, MailContent } from './mail.ts'

/** A mail ready to be sent. */
export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** One language of one mail: paragraphs, of which the one marked `strong` stands out (a code, a link). */
interface Text {
  readonly subject: string
  readonly paragraphs: readonly (string | { readonly strong: string })[]
}

const SUBJECT_MAX = 200

/**
 * The words of a mail in one language, or in both when none is given. Values are put in as they are into the plain text, and
 * escaped into the HTML: no template language looks at them (class S17).
 */
export function writeMail(content: MailContent, systemName: string, language?: Language): WrittenMail {
  const languages: readonly Language[] = language === undefined ? ['en', 'zh'] : [language]
  const versions = languages.map((each) => TEXTS[each](content, systemName))
  const subjects = [...new Set(versions.map(({ subject }) => subject))]
  return {
    subject: oneLine(subjects.join(' / ')),
    text: versions.map(plain).join('\n\n---\n\n'),
    html: document(systemName, versions.map(html).join('<hr>')),
  }
}

function english(content: MailContent, system: string): Text {
  switch (content.kind) {
    case 'verification_code':
      return {
        subject: `${system}: your verification code`,
        paragraphs: [
          'Your verification code is:',
          { strong: content.code },
          `It works once, for ${content.minutes} minutes. If you did not request it, ignore this mail.`,
        ],
      }
    case 'password_reset':
      return {
        subject: `${system}: reset your password`,
        paragraphs: [
          `To choose a new password for the account ${content.username}, open this page:`,
          { strong: content.link },
          `The link works once, for ${content.minutes} minutes. If you did not request it, ignore this mail.`,
        ],
      }
    case 'email_changed':
      return {
        subject: `${system}: your email address was changed`,
        paragraphs: [
          `The account ${content.username} no longer uses this email address.`,
          'If you did not change it, sign in, set a new password and restore your address, or ask the administrator.',
        ],
      }
    case 'quota_low':
      return {
        subject: `${system}: your quota is running low`,
        paragraphs: [
          `Your account ${content.username} has ${content.quota} quota left. When it is used up, requests are refused.`,
          ...(content.link === '' ? [] : ['You can top up here:', { strong: content.link }]),
        ],
      }
    case 'budget_low':
      return {
        subject: `${system}: a budget is nearly spent`,
        paragraphs: [
          `${content.token === '' ? `Your account ${content.username}` : `Your token ${content.token} (account ${content.username})`} has spent nearly all of its budget of ${content.quota} quota for this ${content.period}.`,
          'When it is used up, requests are refused until the next period begins.',
        ],
      }
    case 'charges_corrected':
      return {
        subject: `${system}: charges were corrected`,
        paragraphs: [
          `${content.count} charges were corrected afterwards, including that of request ${content.requestId}.`,
          'A process was paused for more than a minute, so others considered it dead and closed its requests with the information they had. The ledger is correct; check the machine.',
        ],
      }
    case 'channel_disabled':
      return {
        subject: `${system}: channel ${content.channel} (#${content.id}) was disabled`,
        paragraphs: [`Channel ${content.channel} (#${content.id}) was disabled. Reason: ${content.reason}`],
      }
    case 'channel_enabled':
      return {
        subject: `${system}: channel ${content.channel} (#${content.id}) was enabled`,
        paragraphs: [`Channel ${content.channel} (#${content.id}) responds again and was enabled.`],
      }
    case 'channel_key_disabled':
      return {
        subject: `${system}: a key of channel ${content.channel} (#${content.id}) was disabled`,
        paragraphs: [
          `Key ${content.key} of channel ${content.channel} (#${content.id}) was disabled. Reason: ${content.reason}`,
          'The other keys of the channel are still in use. If more of them are disabled within an hour, only the channel’s list of keys shows it.',
        ],
      }
    case 'channel_keys_enabled':
      return {
        subject: `${system}: the keys of channel ${content.channel} (#${content.id}) work again`,
        paragraphs: [`All keys of channel ${content.channel} (#${content.id}) that had been disabled work again.`],
      }
    case 'channels_tested':
      return {
        subject: `${system}: channel test finished`,
        paragraphs: [`${content.tested} channels were tested; ${content.failed} of them failed.`],
      }
    case 'books_wrong':
      return {
        subject: `${system}: the ledger is wrong`,
        paragraphs: [
          `A verification of the ledger found that these rules are violated: ${content.invariants.join(', ')}.`,
          'The first wrong row of each is in the console under Audit, and in the output of: sluice ledger verify --full',
        ],
      }
    case 'database_replaced':
      return {
        subject: `${system}: a file of the database was deleted or replaced`,
        paragraphs: [
          `Another program deleted or replaced ${content.path} while the gateway was writing to it.`,
          'The gateway is stopping so that its data is written back. Start it again, run "sluice ledger verify --full", and find out what changed the file.',
        ],
      }
    case 'backup_failed':
      return {
        subject: `${system}: a backup failed`,
        paragraphs: [
          `The scheduled backup to ${content.place} failed: ${content.problem}`,
          content.latest === ''
            ? 'None has succeeded there yet. The gateway tries again within an hour.'
            : `The latest successful one was made on ${content.latest}. The gateway tries again within an hour.`,
          'To list the backups, run: sluice backups',
        ],
      }
    case 'plain':
      return { subject: content.subject, paragraphs: content.text.split(/\n{2,}/) }
  }
}

function chinese(content: MailContent, system: string): Text {
  switch (content.kind) {
    case 'verification_code':
      return {
        subject: `${system}：您的验证码`,
        paragraphs: [
          '您的验证码是：',
          { strong: content.code },
          `验证码 ${content.minutes} 分钟内有效，仅可使用一次。如果不是您本人操作，请忽略此邮件。`,
        ],
      }
    case 'password_reset':
      return {
        subject: `${system}：重置密码`,
        paragraphs: [
          `请打开以下页面，为账户 ${content.username} 设置新密码：`,
          { strong: content.link },
          `链接 ${content.minutes} 分钟内有效，仅可使用一次。如果不是您本人操作，请忽略此邮件。`,
        ],
      }
    case 'email_changed':
      return {
        subject: `${system}：您的邮箱地址已更改`,
        paragraphs: [
          `账户 ${content.username} 已不再使用此邮箱地址。`,
          '如果不是您本人操作，请登录后设置新密码并改回您的邮箱地址，或联系管理员。',
        ],
      }
    case 'quota_low':
      return {
        subject: `${system}：您的额度即将用尽`,
        paragraphs: [
          `您的账户 ${content.username} 剩余额度为 ${content.quota}。额度用尽后请求将被拒绝。`,
          ...(content.link === '' ? [] : ['您可以在此充值：', { strong: content.link }]),
        ],
      }
    case 'budget_low':
      return {
        subject: `${system}：预算即将用尽`,
        paragraphs: [
          `${content.token === '' ? `您的账户 ${content.username}` : `您的令牌 ${content.token}（账户 ${content.username}）`}${PERIODS[content.period]}的预算 ${content.quota} 即将用尽。`,
          '预算用尽后请求将被拒绝，直到下一周期开始。',
        ],
      }
    case 'charges_corrected':
      return {
        subject: `${system}：扣费已更正`,
        paragraphs: [
          `有 ${content.count} 笔扣费在完成后被更正，其中包括请求 ${content.requestId}。`,
          '某个进程暂停超过一分钟，其他进程视其为已停止，并按已知用量结清了它的请求。账目无误，请检查该机器。',
        ],
      }
    case 'channel_disabled':
      return {
        subject: `${system}：渠道 ${content.channel}（#${content.id}）已被禁用`,
        paragraphs: [`渠道 ${content.channel}（#${content.id}）已被禁用，原因：${content.reason}`],
      }
    case 'channel_enabled':
      return {
        subject: `${system}：渠道 ${content.channel}（#${content.id}）已被启用`,
        paragraphs: [`渠道 ${content.channel}（#${content.id}）已恢复响应并被启用。`],
      }
    case 'channel_key_disabled':
      return {
        subject: `${system}：渠道 ${content.channel}（#${content.id}）的一个密钥已被禁用`,
        paragraphs: [
          `渠道 ${content.channel}（#${content.id}）的第 ${content.key} 个密钥已被禁用，原因：${content.reason}`,
          '该渠道的其他密钥仍在使用。一小时内如有更多密钥被禁用，仅在该渠道的密钥列表中显示。',
        ],
      }
    case 'channel_keys_enabled':
      return {
        subject: `${system}：渠道 ${content.channel}（#${content.id}）的密钥已恢复`,
        paragraphs: [`渠道 ${content.channel}（#${content.id}）此前被禁用的密钥均已恢复可用并被启用。`],
      }
    case 'channels_tested':
      return {
        subject: `${system}：渠道测试完成`,
        paragraphs: [`共测试 ${content.tested} 个渠道，其中 ${content.failed} 个失败。`],
      }
    case 'books_wrong':
      return {
        subject: `${system}：账目有误`,
        paragraphs: [
          `账目核验发现以下不变量不成立：${content.invariants.join('、')}。`,
          '每项的第一条错误记录见控制台的“审计”，或运行：sluice ledger verify --full',
        ],
      }
    case 'database_replaced':
      return {
        subject: `${system}：数据库文件被删除或替换`,
        paragraphs: [
          `网关正在写入 ${content.path} 时，其他程序删除或替换了该文件。`,
          '网关将停止运行，以便把尚未落盘的数据写回。请重新启动网关，运行 sluice ledger verify --full，并查明是什么程序改动了该文件。',
        ],
      }
    case 'backup_failed':
      return {
        subject: `${system}：备份失败`,
        paragraphs: [
          `写入 ${content.place} 的定时备份失败：${content.problem}`,
          content.latest === ''
            ? '该处尚无成功的备份。网关会在一小时内重试。'
            : `最近一次成功的备份生成于 ${content.latest}。网关会在一小时内重试。`,
          '查看现有备份：sluice backups',
        ],
      }
    case 'plain':
      return english(content, system)
  }
}

const PERIODS = { day: '本日', week: '本周', month: '本月' } as const

const TEXTS: Readonly<Record<Language, (content: MailContent, system: string) => Text>> = { en: english, zh: chinese }

function plain({ paragraphs }: Text): string {
  return paragraphs.map((each) => (typeof each === 'string' ? each : each.strong)).join('\n\n')
}

function html({ paragraphs }: Text): string {
  return paragraphs
    .map((each) =>
      typeof each === 'string' ? `<p>${lines(each)}</p>` : `<p><strong>${lines(each.strong)}</strong></p>`,
    )
    .join('\n')
}

function document(title: string, body: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>\n${body}\n</body></html>`
}

function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** A subject is one header line, whatever names went into it. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, SUBJECT_MAX)
}
