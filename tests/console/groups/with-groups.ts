import { listOptions, updateOption } from '@sluice/contract/routes/options'
import type { Workbench } from '@sluice/testkit/workbench'

/** Adds groups while a function runs, then restores the previous ones, because other tests of the worker share the gateway. */
export async function withGroups({ root }: Workbench, groups: object, run: () => Promise<void>): Promise<void> {
  const before = (await root.call(listOptions)).find(({ key }) => key === 'Groups')?.value ?? '{}'
  const during = JSON.stringify({ ...JSON.parse(before), ...groups })
  await root.call(updateOption, { body: { key: 'Groups', value: during } })
  try {
    await run()
  } finally {
    await root.call(updateOption, { body: { key: 'Groups', value: before } })
  }
}
