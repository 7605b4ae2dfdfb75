import { listOptions, updateOption } from '@sluice/contract/routes/options'
import type { Workbench } from '@sluice/testkit/workbench'

/** Sets the groups while something runs, and sets those before again: other tests of the worker have the same gateway. */
export async function withGroups({ root }: Workbench, groups: object, run: () => Promise<void>): Promise<void> {
  const before = (await root.call(listOptions)).find(({ key }) => key === 'Groups')?.value ?? '{}'
  await root.call(updateOption, { body: { key: 'Groups', value: JSON.stringify(groups) } })
  try {
    await run()
  } finally {
    await root.call(updateOption, { body: { key: 'Groups', value: before } })
  }
}
