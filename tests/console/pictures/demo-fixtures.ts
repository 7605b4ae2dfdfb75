import { join } from 'node:path'
import { ROOT_PASSWORD, startGateway } from '@sluice/testkit/gateway-process'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { seedCast } from '../../../tools/demo/seed-cast.ts'
import { seedHistory } from '../../../tools/demo/seed-history.ts'
import { test as consoleTest } from '../fixtures.ts'

async function seed(dataDir: string, emulatorUrl: string): Promise<void> {
  const now = Date.now()
  const once = await startGateway({ dataDir, env: { SLUICE_LOG_LEVEL: 'warn' } })
  await seedCast(once.url, ROOT_PASSWORD, emulatorUrl, Math.floor(now / 1_000))
  await once.stop()
  await seedHistory(join(dataDir, 'sluice.db'), now)
}

/** The usual fixtures with the demo's month of history in the database, so that pictures show a console in use. */
export const test = consoleTest.extend<object, { readonly workbench: Workbench }>({
  workbench: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern here
    async ({}, use) => {
      const workbench = await openWorkbench({}, seed)
      await use(workbench)
      await workbench.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})
