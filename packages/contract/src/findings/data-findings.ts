import type { FindingEntry } from './finding-entry.ts'

export const DATA_FINDINGS = {
  'ledger.ok': {
    severity: 'ok',
    finding: 'The ledger was verified on {at}.',
    chinese: { finding: '账目已于 {at} 核对无误。' },
  },
  'ledger.wrong': {
    severity: 'problem',
    finding: 'The last verification of the ledger, on {at}, found a wrong row: {statement}',
    remedy:
      'Run "sluice ledger verify --full". If that fails too, keep a backup and report it; nothing repairs rows automatically.',
    link: '/dashboard',
    chinese: {
      finding: '{at} 的账目核对发现错误：{statement}',
      remedy: '请运行 "sluice ledger verify --full"。若仍失败，请保留备份并反馈；系统不会自行修复。',
    },
  },
  'ledger.failed': {
    severity: 'warning',
    finding: 'The verification of the ledger that began on {at} did not finish.',
    remedy: 'Find the reason in the gateway’s log, then start a verification under Dashboard → Audit.',
    link: '/dashboard',
    chinese: {
      finding: '{at} 开始的账目核对没有完成。',
      remedy: '请在网关日志中查看原因，然后在“总览 → 审计”中重新核对。',
    },
  },
  'ledger.old': {
    severity: 'warning',
    finding: 'The ledger was last verified on {at}.',
    remedy:
      'It should be verified every night. Set SLUICE_LEDGER_CHECK_HOUR, or start a verification under Dashboard → Audit.',
    link: '/dashboard',
    chinese: {
      finding: '账目上次核对是在 {at}。',
      remedy: '核对应每晚进行。请设置 SLUICE_LEDGER_CHECK_HOUR，或在“总览 → 审计”中开始核对。',
    },
  },
  'ledger.never': {
    severity: 'note',
    finding: 'The ledger has not been verified yet.',
    remedy: 'The gateway verifies it every night; to do so now, use Dashboard → Audit.',
    link: '/dashboard',
    chinese: { finding: '账目尚未核对过。', remedy: '网关每晚自动核对；也可在“总览 → 审计”中立即核对。' },
  },
  'ledger.holds': {
    severity: 'warning',
    finding: 'Holds that have not been renewed for an hour: {count}; the oldest was opened on {at}.',
    remedy:
      'If no gateway is running, start one: it closes the holds of dead processes. If one is running, search its log for "the ledger could not reach its database".',
    chinese: {
      finding: '有 {count} 笔预扣已一小时没有更新；最早的一笔始于 {at}。',
      remedy:
        '若没有网关运行，请启动：它会关闭已终止进程的预扣。若正在运行，请在日志中查找 “the ledger could not reach its database”。',
    },
  },
  'ledger.uncharged': {
    severity: 'problem',
    finding: 'Charges of {subject} that need attention: {count}.',
    remedy: 'The log lists each one as "a charge needs attention". The operations guide explains each message.',
    chinese: {
      finding: '{subject} 有 {count} 笔费用需要人工检查。',
      remedy: '其日志会逐条列出：“a charge needs attention”。运维文档说明了各条文字的含义。',
    },
  },
  'backups.ok': {
    severity: 'ok',
    finding: 'The latest scheduled backup at {place} was made on {at}.',
    chinese: { finding: '{place} 中最近一次定时备份完成于 {at}。' },
  },
  'backups.none': {
    severity: 'note',
    finding: 'No backups are scheduled.',
    remedy:
      'Set SLUICE_BACKUP_TO to a folder on another disk or to a bucket, or schedule "sluice backup" in another way.',
    chinese: {
      finding: '没有设置定时备份。',
      remedy: '请将 SLUICE_BACKUP_TO 设为另一块磁盘上的文件夹或存储桶，或以其他方式运行 "sluice backup"。',
    },
  },
  'backups.never': {
    severity: 'note',
    finding: 'No scheduled backup has been made at {place} yet.',
    remedy: 'A running gateway makes the first one within minutes of its start.',
    chinese: { finding: '{place} 中尚无定时备份。', remedy: '网关启动后几分钟内会进行首次备份。' },
  },
  'backups.failing': {
    severity: 'problem',
    finding: 'No scheduled backup at {place} has succeeded yet.',
    remedy: 'Search the gateway’s log for "a backup failed"; that line gives the reason.',
    chinese: {
      finding: '{place} 的定时备份至今均告失败。',
      remedy: '请在网关日志中查找 “a backup failed”，其中说明了原因。',
    },
  },
  'backups.writable': {
    severity: 'warning',
    finding: 'Other users of this machine can write to {place}.',
    remedy:
      'Remove their access with chmod go-w on the folder. A user who can write there can delete or replace a backup.',
    chinese: {
      finding: '本机其他用户可以写入 {place}。',
      remedy: '请取消他们的权限：对该目录执行 chmod go-w。能写入该目录的人可以删除或替换备份。',
    },
  },
  'backups.old': {
    severity: 'problem',
    finding: 'The latest scheduled backup at {place} was made on {at}, more than two intervals ago.',
    remedy: 'Search the gateway’s log for "a backup failed"; that line gives the reason.',
    chinese: {
      finding: '{place} 中最近一次定时备份完成于 {at}，已超过两个周期。',
      remedy: '请在网关日志中查找 “a backup failed”，其中说明了原因。',
    },
  },
  'keys.ok': {
    severity: 'ok',
    finding: 'All secrets are encrypted with master key {key}.',
    chinese: { finding: '所有加密内容均使用主密钥 {key}。' },
  },
  'keys.none': {
    severity: 'problem',
    finding: 'The master key cannot be read: {reason}',
    remedy:
      'Run the command with the environment of the gateway, as a user who can read the key. Encrypted secrets were not checked.',
    chinese: {
      finding: '无法读取主密钥：{reason}',
      remedy: '请使用网关的环境变量，并以能够读取该密钥的用户运行此命令。加密内容未作检查。',
    },
  },
  'keys.missing': {
    severity: 'problem',
    finding: 'Some secrets are encrypted with master key {subject}, which is missing.',
    remedy:
      'Add it back, after any newer key. If it is lost for good, add it to SLUICE_LOST_KEYS and enter those secrets again.',
    chinese: {
      finding: '有内容使用主密钥 {subject} 加密，但该密钥不存在。',
      remedy: '请将它放回（排在更新的密钥之后）。若已永久丢失，请写入 SLUICE_LOST_KEYS 并重新填写相应内容。',
    },
  },
  'keys.lost': {
    severity: 'warning',
    finding: 'Some secrets are still encrypted with master key {subject}, which SLUICE_LOST_KEYS declares lost.',
    remedy: 'Enter provider keys and other secrets again; they are then encrypted with the current key.',
    chinese: {
      finding: '仍有内容使用 SLUICE_LOST_KEYS 中声明丢失的主密钥 {subject} 加密。',
      remedy: '请重新填写渠道密钥等内容；新内容会使用现有密钥加密。',
    },
  },
  'keys.lost_unused': {
    severity: 'note',
    finding: 'Nothing is encrypted with {subject} any more, but SLUICE_LOST_KEYS still lists it.',
    remedy: 'Remove it from SLUICE_LOST_KEYS.',
    chinese: {
      finding: 'SLUICE_LOST_KEYS 中的 {subject} 已无内容使用。',
      remedy: '请将其从 SLUICE_LOST_KEYS 中删除。',
    },
  },
  'keys.rotate': {
    severity: 'note',
    finding: 'Some secrets are still encrypted with the older master key {subject}.',
    remedy: 'Run "sluice keys rotate" to encrypt everything with {key}; then you can remove the older key.',
    chinese: {
      finding: '仍有内容使用旧主密钥 {subject} 加密。',
      remedy: '请运行 "sluice keys rotate"，将全部内容改用 {key} 加密；之后即可移除旧密钥。',
    },
  },
  'keys.removable': {
    severity: 'note',
    finding: 'Nothing is encrypted with the older master key {subject} any more.',
    remedy: 'Once every gateway encrypts with {key}, remove the older key and restart to complete the rotation.',
    chinese: {
      finding: '旧主密钥 {subject} 已无内容使用。',
      remedy: '当所有网关都使用 {key} 加密后，移除旧密钥并重启，轮换即告完成。',
    },
  },
  'settings.ok': {
    severity: 'ok',
    finding: 'The settings are consistent.',
    chinese: { finding: '各项设置相互一致。' },
  },
  'settings.unreadable': {
    severity: 'problem',
    finding: 'A stored setting is ignored: {reason}.',
    remedy: 'Set it again.',
    link: '/settings?tab=operation&find={subject}',
    chinese: { finding: '有一项已保存的设置未生效：{reason}。', remedy: '请重新设置。' },
  },
  'settings.needs': {
    severity: 'warning',
    finding: '{subject} is on but does nothing, because {missing} is not set.',
    remedy: 'Set {missing}, or disable {subject}.',
    link: '/settings?tab=operation&find={subject}',
    chinese: {
      finding: '{subject} 已启用但不起作用，因为未设置 {missing}。',
      remedy: '请设置 {missing}，或关闭 {subject}。',
    },
  },
  'settings.no_mail': {
    severity: 'problem',
    finding: '{subject} is on, but no mail can be sent.',
    remedy: 'Set up mail, or disable {subject}. Until then nobody can register.',
    link: '/settings?tab=system&find=SMTP',
    chinese: {
      finding: '{subject} 已启用，但无法发送邮件。',
      remedy: '请设置邮件，或关闭 {subject}：在此期间无人能注册。',
    },
  },
  'settings.gifts': {
    severity: 'warning',
    finding: '{subject} is set, but gifts are only given with EmailVerificationEnabled.',
    remedy: 'Enable EmailVerificationEnabled, or set the gift to 0: an unverified address does not identify anyone.',
    link: '/settings?tab=system&find=EmailVerificationEnabled',
    chinese: {
      finding: '已设置 {subject}，但未启用 EmailVerificationEnabled 时不会赠送。',
      remedy: '请启用 EmailVerificationEnabled，或将赠送额度设为 0：未验证的邮箱无法确定身份。',
    },
  },
  'settings.never': {
    severity: 'warning',
    finding: '{subject} is on, but with {option}={value} it never takes effect.',
    remedy: 'Change {option}, or disable {subject}.',
    link: '/settings?tab=operation&find={option}',
    chinese: {
      finding: '{subject} 已启用，但 {option}={value} 使其永远不会发生。',
      remedy: '请修改 {option}，或关闭 {subject}。',
    },
  },
  'database.ok': {
    severity: 'ok',
    finding: 'The database schema is up to date, and the database answered in {ms} ms.',
    chinese: { finding: '数据库已是最新结构，{ms} 毫秒内应答。' },
  },
  'database.slow': {
    severity: 'warning',
    finding: 'The database took {ms} ms to answer an empty query.',
    remedy: 'Check its load, its disk and the network in between: every request waits for it twice.',
    chinese: {
      finding: '数据库回答最简单的查询用了 {ms} 毫秒。',
      remedy: '请检查数据库的负载、磁盘和网络：每个请求都要等待它两次。',
    },
  },
  'database.pending': {
    severity: 'problem',
    finding: 'The database schema does not match this version.',
    remedy: 'Start the gateway, or run "sluice migrate"; if the database is newer, use the newer version.',
    chinese: {
      finding: '数据库结构与本版本不符。',
      remedy: '请启动网关或运行 "sluice migrate"；若数据库更新，请使用更新的程序。',
    },
  },
  'database.closed': {
    severity: 'problem',
    finding: 'The database cannot be opened: {reason}',
    remedy: 'Fix that first. The contents of the database were not checked.',
    chinese: { finding: '无法打开数据库：{reason}', remedy: '请按原因修正。数据库中的内容未作检查。' },
  },
  'doctor.late': {
    severity: 'warning',
    finding: 'The check "{subject}" did not finish within {seconds} s and was abandoned.',
    remedy: 'Repeat it. If it happens again, the part that it checks is slow.',
    chinese: {
      finding: '检查“{subject}”未能在 {seconds} 秒内完成，已放弃。',
      remedy: '请重试。若再次出现，说明被检查的对象本身很慢。',
    },
  },
  'doctor.failed': {
    severity: 'warning',
    finding: 'The check "{subject}" could not be run: {reason}.',
    remedy: 'Repeat it. If it happens again although the database is fine, report it.',
    chinese: { finding: '无法进行检查“{subject}”：{reason}。', remedy: '请重试。若数据库正常而再次出现，请反馈。' },
  },
} as const satisfies Readonly<Record<string, FindingEntry>>
