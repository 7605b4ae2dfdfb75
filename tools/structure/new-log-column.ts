import { addColumn, type Edit, insertBefore } from './how-to-edits.ts'

const RELAY = 'apps/gateway/src/relay/charge'

/** The manual steps of docs/how-to/add-a-log-column.md for a new text column, `trial_note`, that replies show as metadata. */
export function newLogColumn(root: string): readonly Edit[] {
  return [
    insertBefore(
      'client: {',
      'packages/contract/src/fields/log.ts',
      `  trial_note: { ...text, property: 'trialNote', settled: true, corrected: true, part: 'metadata' },\n`,
    ),
    ...addColumn(root, 'log', (text) => `${text} not null default ''`),
    insertBefore('client: ', `${RELAY}/ledger-rows.ts`, '      trialNote: `asked for ${parsed.model}`,\n'),
  ]
}

/** Tests the column in the table and in a reply, and its plain value in rows without a charge. */
export const newLogColumnTest: Edit = {
  path: `${RELAY}/trial-note.test.ts`,
  change: () => `import { listLogs } from '@sluice/contract/routes/logs'
import { startEmulator } from '@sluice/testkit/emulator/server'
import { openGatewayWorld } from '@sluice/testkit/gateway-world'
import { expect, it } from 'vitest'

it('brings the note of a charge into the table and the reply', async () => {
  const emulator = await startEmulator()
  const world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-fast'])
  await world.addUser('ann', 1_000)
  await (await world.chat(await world.addToken(world.root), { model: 'emu-fast' })).text()
  expect(await world.rows('select distinct type = 2 as charge, trial_note as note from log order by 1')).toEqual([
    { charge: 0, note: '' },
    { charge: 1, note: 'asked for emu-fast' },
  ])
  const logs = await world.root.call(listLogs, { query: {} })
  expect(logs.flatMap(({ metadata }) => ('trial_note' in metadata ? [metadata.trial_note] : []))).toEqual(['asked for emu-fast'])
  await world.verify()
  await world.close()
  await emulator.close()
})
`,
}
