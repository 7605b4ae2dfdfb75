import { addColumn, type Edit, insertBefore } from './how-to-edits.ts'

/** The manual steps of docs/how-to/add-a-channel-field.md for a new text field, `trial_note`. */
export function newChannelField(root: string): readonly Edit[] {
  const insert = (path: string, line: string): Edit => insertBefore('inference_profile_arn_map: ', path, line)
  return [
    insert(
      'packages/contract/src/fields/channel.ts',
      `  trial_note: { ...longText(1_000), property: 'trialNote', column: 'trial_note', section: 'advanced' },\n`,
    ),
    ...addColumn(root, 'channel', (text) => text),
    insert(
      'apps/console/src/features/channels/texts/channel-texts.ts',
      `    trial_note: { label: 'Note', hint: 'For a trial.' },\n`,
    ),
    insert(
      'apps/console/src/features/channels/texts/zh-cn.ts',
      `    trial_note: { label: '备注', hint: '仅供试验。' },\n`,
    ),
    insert('tools/reference/configuration-file.ts', `  trial_note: 'A note.',\n`),
  ]
}
