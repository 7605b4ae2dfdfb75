/**
 * `node tools/launch/assemble.mjs <folder> [--with-node]`: writes the files of the npm package to a relocatable folder with
 * `bin/sluice`, a launcher that replaces itself with Node. The image and the systemd unit start from it. `--with-node` adds the
 * running Node; otherwise `bin/sluice` uses the one on the PATH.
 */
import { chmodSync, copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { ALLOCATOR, fail, NODE_ARGS, pickNode } from './run-program.mjs'
import { buildConsole, buildGateway, installPackages, ROOT, runProgram } from './setup.mjs'

const [target = '', ...options] = process.argv.slice(2)
const isWithNode = options.includes('--with-node')
if (target === '' || options.some((option) => option !== '--with-node')) {
  fail('Say where to: node tools/launch/assemble.mjs <folder> [--with-node]')
}
const folder = resolve(target)
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty; choose a new folder.`)

await installPackages()
const node = pickNode(ROOT)
const [program] = await Promise.all([buildGateway(node), buildConsole(node)])
const code = await runProgram(node, 'tools/package/write-folder.ts', [program, folder])
if (code !== 0) fail('The folder could not be written; the message is above.')
writeFileSync(join(folder, 'bin', 'sluice'), launcher())
chmodSync(join(folder, 'bin', 'sluice'), 0o755)
if (isWithNode) copyFileSync(node, join(folder, 'bin', 'node'))
process.stdout.write(`${relative('', join(folder, 'bin', 'sluice'))} starts it.\n`)

/** The same Node options and variables as in a clone; the environment takes precedence. */
function launcher() {
  const variables = Object.entries(ALLOCATOR).map(([key, value]) => `export ${key}="\${${key}:-${value}}"`)
  return `#!/bin/sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")
node=node
if [ -x "$root/bin/node" ]; then node=$root/bin/node; fi
${variables.join('\n')}
export NODE_COMPILE_CACHE="\${NODE_COMPILE_CACHE:-$root/cache}"
exec "$node" ${NODE_ARGS.join(' ')} "$root/apps/gateway/dist/sluice/sluice.js" "$@"
`
}
