import type { MailTexts } from './mail.ts'

export const ENGLISH: MailTexts = {
  verification_code: ({ code, minutes }, system) => ({
    subject: `${system}: your verification code`,
    paragraphs: [
      'Your verification code is:',
      { strong: code },
      `It works once, for ${minutes} minutes. If you did not request it, ignore this email.`,
    ],
  }),
  password_reset: ({ username, link, minutes }, system) => ({
    subject: `${system}: reset your password`,
    paragraphs: [
      `To choose a new password for the account ${username}, open this page:`,
      { strong: link },
      `The link works once, for ${minutes} minutes. If you did not request it, ignore this email.`,
    ],
  }),
  email_changed: ({ username }, system) => ({
    subject: `${system}: your email address was changed`,
    paragraphs: [
      `The account ${username} no longer uses this email address.`,
      'If you did not change it, sign in, set a new password and restore your address, or ask the administrator.',
    ],
  }),
  quota_low: ({ username, quota, link }, system) => ({
    subject: `${system}: your quota is running low`,
    paragraphs: [
      `Your account ${username} has ${quota} quota left. When it is used up, requests are refused.`,
      ...(link === '' ? [] : ['You can top up here:', { strong: link }]),
    ],
  }),
  budget_low: ({ token, username, quota, period }, system) => ({
    subject: `${system}: a budget is nearly spent`,
    paragraphs: [
      `${token === '' ? `Your account ${username}` : `Your token ${token} (account ${username})`} has spent nearly all of its budget of ${quota} quota for this ${period}.`,
      'When it is used up, requests are refused until the next period begins.',
    ],
  }),
  charges_corrected: ({ count, requestId }, system) => ({
    subject: `${system}: charges were corrected`,
    paragraphs: [
      `${count} charges were corrected afterwards, including that of request ${requestId}.`,
      'A process was paused for more than a minute, so others considered it dead and closed its requests with the information they had. The ledger is correct; check the machine.',
    ],
  }),
  channel_disabled: ({ channel, id, reason }, system) => ({
    subject: `${system}: channel ${channel} (#${id}) was disabled`,
    paragraphs: [`Channel ${channel} (#${id}) was disabled. Reason: ${reason}`],
  }),
  channel_enabled: ({ channel, id }, system) => ({
    subject: `${system}: channel ${channel} (#${id}) was enabled`,
    paragraphs: [`Channel ${channel} (#${id}) responds again and was enabled.`],
  }),
  channel_key_disabled: ({ channel, id, key, reason }, system) => ({
    subject: `${system}: a key of channel ${channel} (#${id}) was disabled`,
    paragraphs: [
      `Key ${key} of channel ${channel} (#${id}) was disabled. Reason: ${reason}`,
      'The other keys of the channel are still in use. If more of them are disabled within an hour, only the channel’s list of keys shows them.',
    ],
  }),
  channel_keys_enabled: ({ channel, id }, system) => ({
    subject: `${system}: the keys of channel ${channel} (#${id}) work again`,
    paragraphs: [`All keys of channel ${channel} (#${id}) that had been disabled work again.`],
  }),
  channels_tested: ({ tested, failed }, system) => ({
    subject: `${system}: channel test finished`,
    paragraphs: [`${tested} channels were tested; ${failed} of them failed.`],
  }),
  books_wrong: ({ invariants }, system) => ({
    subject: `${system}: the ledger is wrong`,
    paragraphs: [
      `A verification of the ledger found that these rules are violated: ${invariants.join(', ')}.`,
      'The first wrong row of each is in the console under Audit, and in the output of: sluice ledger verify --full',
    ],
  }),
  database_replaced: ({ path }, system) => ({
    subject: `${system}: a file of the database was deleted or replaced`,
    paragraphs: [
      `Another program deleted or replaced ${path} while the gateway was writing to it.`,
      'The gateway is stopping so that its data is written back. Start it again, run "sluice ledger verify --full", and find out what changed the file.',
    ],
  }),
  backup_failed: ({ place, problem, latest }, system) => ({
    subject: `${system}: a backup failed`,
    paragraphs: [
      `The scheduled backup to ${place} failed: ${problem}`,
      latest === ''
        ? 'None has succeeded there yet. The gateway tries again within an hour.'
        : `The latest successful one was made on ${latest}. The gateway tries again within an hour.`,
      'To list the backups, run: sluice backups',
    ],
  }),
  plain: ({ subject, text }) => ({ subject, paragraphs: text.split(/\n{2,}/) }),
}
