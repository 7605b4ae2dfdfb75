import { addColumn, type Edit, insertBefore } from './how-to-edits.ts'

const WIRE = 'packages/contract/src/token.ts'
const CONSOLE = 'apps/console/src/features/tokens'

/** The manual steps of docs/how-to/add-a-token-field.md for a new flag, `trial_note`. */
export function newTokenField(root: string): readonly Edit[] {
  const inForm = (neighbour: string, line: string): Edit =>
    insertBefore(neighbour, `${CONSOLE}/model/token-form-values.ts`, line)
  return [
    insertBefore('quiet_hours: whenAbsent', WIRE, '  trial_note: whenAbsent(v.boolean(), false),\n'),
    insertBefore('quiet_hours: v.', WIRE, '  trial_note: v.optional(v.boolean()),\n'),
    insertBefore(
      'quiet_hours: {',
      'packages/contract/src/fields/token.ts',
      `  trial_note: { ...flag, property: 'trialNote' },\n`,
    ),
    ...addColumn(root, 'token', () => 'integer not null default 0'),
    inForm('quiet_hours: string', '  trial_note: boolean\n'),
    inForm("quiet_hours: '',", '  trial_note: false,\n'),
    inForm('quiet_hours: token.', '    trial_note: token.trial_note,\n'),
    inForm('quiet_hours: v.', '    trial_note: v.boolean(),\n'),
    insertBefore(
      '{REQUEST_LIMITS.map',
      `${CONSOLE}/ui/token-fields.tsx`,
      `          <CheckboxField control={control} name="trial_note" label={t.trialNote} />\n`,
    ),
    insertBefore('quietHours:', `${CONSOLE}/texts/token-texts.ts`, `  trialNote: 'Trial',\n`),
    insertBefore('quietHours:', `${CONSOLE}/texts/zh-cn.ts`, `  trialNote: '试用',\n`),
  ]
}

/** Tests that the field is set, kept by an update that omits it, and stored in the table. */
export const newTokenFieldTest: Edit = {
  path: 'apps/gateway/src/management/tokens/trial-note.test.ts',
  change: () => `import { createToken, updateToken } from '@sluice/contract/routes/tokens'
import { openGatewayWorld } from '@sluice/testkit/gateway-world'
import { expect, it } from 'vitest'

it('stores and keeps the note of a token', async () => {
  const world = await openGatewayWorld()
  expect(await world.root.call(createToken, { body: { name: 'plain' } })).toMatchObject({ trial_note: false })
  const { id } = await world.root.call(createToken, { body: { name: 'a', trial_note: true } })
  expect(await world.root.call(updateToken, { query: {}, body: { id, name: 'b' } })).toMatchObject({ trial_note: true })
  expect(await world.rows("select name, trial_note as note from token where name in ('plain', 'b') order by id")).toEqual([
    { name: 'plain', note: 0 },
    { name: 'b', note: 1 },
  ])
  await world.close()
})
`,
}
