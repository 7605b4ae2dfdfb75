/** `sluice` as npm installs it: runs the gateway's program on a suitable Node, with the user's own folders. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pickNode, runOnNode } from '../launch/run-program.mjs'
import { packageEnvironment } from './package-defaults.mjs'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const PROGRAM = join(PACKAGE, 'apps', 'gateway', 'dist', 'sluice', 'sluice.js')

const env = packageEnvironment(process.platform, process.env, homedir())
process.exitCode = await runOnNode(pickNode(PACKAGE), PROGRAM, process.argv.slice(2), { env })
