import { type Edit, insertBefore } from './how-to-edits.ts'

const CONSOLE = 'apps/console/src/features/options'

/** The manual steps of docs/how-to/add-an-option.md for a new switch, `TrialNoteEnabled`, that keeps mail from leaving. */
export const NEW_OPTION: readonly Edit[] = [
  insertBefore(
    'SMTPTransportSecurity: ',
    'packages/store/src/options/option-definitions.ts',
    '  TrialNoteEnabled: flag(false),\n',
  ),
  insertBefore(
    'const from = readSender(options.SMTPFrom',
    'apps/gateway/src/messages/mail-transport.ts',
    '  if (options.TrialNoteEnabled) return undefined\n',
  ),
  insertBefore(
    'SMTPTransportSecurity: ',
    'tools/reference/option-effects.ts',
    `  TrialNoteEnabled: { effect: 'Whether mail stays here.', file: MAIL },\n`,
  ),
  insertBefore(
    'SMTPTransportSecurity: ',
    `${CONSOLE}/model/settings.ts`,
    `  TrialNoteEnabled: { group: 'email', ...OFF },\n`,
  ),
  insertBefore(
    'SMTPTransportSecurity: ',
    `${CONSOLE}/texts/settings-en.ts`,
    `  TrialNoteEnabled: { label: 'Trial', help: 'Keeps mail here.' },\n`,
  ),
  insertBefore(
    'SMTPTransportSecurity: ',
    `${CONSOLE}/texts/settings-zh-cn.ts`,
    `  TrialNoteEnabled: { label: '试用', help: '不发送邮件。' },\n`,
  ),
]
