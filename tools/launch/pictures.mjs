/**
 * `npm run pictures`: every screen of the console, both themes, desktop and phone, in `reports/pictures`; documents' in
 * `docs/pictures`.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findBrowser } from './machine.mjs'
import { pickNode } from './run-program.mjs'
import { buildConsole, buildGateway, installPackages, ROOT } from './setup.mjs'

await installPackages()
const node = pickNode(ROOT)
const [program] = await Promise.all([buildGateway(node), buildConsole(node)])
const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
const config = join(ROOT, 'tests', 'console', 'pictures', 'pictures.config.ts')
const { status } = spawnSync(node, [cli, 'test', `--config=${config}`, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, SLUICE_TEST_CHROMIUM: await findBrowser(), SLUICE_TEST_GATEWAY: program },
})
process.exitCode = status ?? 1
