/**
 * `node tools/launch/assemble.mjs <folder> [--with-node]`: everything that a gateway needs to run, and nothing else, in a folder that
 * can be moved: the bundle, the console, the packages that the bundle loads, and `bin/sluice`. The image and the unit for systemd start
 * from it. `--with-node` adds the Node that runs it; otherwise `bin/sluice` takes the one on the PATH.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ALLOCATOR, buildConsole, buildGateway, fail, installPackages, NODE_ARGS, pickNode, ROOT } from './setup.mjs'

const [target = '', ...options] = process.argv.slice(2)
const isWithNode = options.includes('--with-node')
if (target === '' || options.some((option) => option !== '--with-node')) {
  fail('Say where to: node tools/launch/assemble.mjs <folder> [--with-node]')
}
const folder = resolve(target)
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty; choose a new folder.`)

await installPackages()
const node = pickNode()
const [program] = await Promise.all([buildGateway(node), buildConsole(node)])

// The bundle looks for the console from where its sources are.
const BUNDLE = join('apps', 'gateway', 'dist', 'bundle')
const CONSOLE = join('apps', 'console', 'dist')
copy(dirname(program), BUNDLE)
copy(join(ROOT, CONSOLE), CONSOLE)
for (const path of loadedPackages()) copy(join(ROOT, path), path)
copy(join(ROOT, 'NOTICE.md'), 'NOTICE.md')
const { name, version, license } = readJson('package.json')
write('package.json', `${JSON.stringify({ name, version, license, type: 'module', private: true }, null, 2)}\n`)
write(join('bin', 'sluice'), launcher())
chmodSync(join(folder, 'bin', 'sluice'), 0o755)
if (isWithNode) copyFileSync(node, join(folder, 'bin', 'node'))
process.stdout.write(`${folder}: Sluice ${version}; bin/sluice starts it.\n`)

/** Neither hidden files nor what only a debugger or a compiler reads. */
function copy(from, to) {
  const filter = (path) => !/^\.|\.(map|[cm]?ts)$/.test(basename(path))
  cpSync(from, join(folder, to), { recursive: true, dereference: true, filter })
}

function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
}

/** Folders of the packages that the bundle names, and of all that these depend on. */
function loadedPackages() {
  const { packages } = readJson('package-lock.json')
  const found = new Set()
  const add = (name, from) => {
    const path = placeOf(packages, name, from)
    if (path === undefined || found.has(path)) return
    found.add(path)
    const { dependencies = {}, optionalDependencies = {} } = packages[path]
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each, path)
  }
  for (const [name, from] of namedInBundle(packages)) add(name, from)
  // npm leaves out what is optional and for other machines
  return [...found].filter((path) => existsSync(join(ROOT, path)))
}

/** Declared dependencies that the files of the bundle import, each with the workspace that declares it. */
function namedInBundle(packages) {
  const files = readdirSync(dirname(program)).map((file) => readFileSync(join(dirname(program), file), 'utf8'))
  const specifiers = files.flatMap((text) =>
    [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*"([^"\n]+)"/g)].map(([, name]) => name),
  )
  const names = new Set(
    specifiers.map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  )
  return Object.entries(packages)
    .filter(([path]) => /^(apps|packages)\//.test(path))
    .flatMap(([path, { dependencies = {} }]) => Object.keys(dependencies).map((name) => [name, path]))
    .filter(([name]) => names.has(name) && !name.startsWith('@sluice/'))
}

/** Where Node finds a package that a file in `from` imports. */
function placeOf(packages, name, from) {
  for (let at = from; ; at = at.includes('/') ? dirname(at) : '') {
    const path = [at, 'node_modules', name].filter(Boolean).join('/')
    if (packages[path] !== undefined) return path
    if (at === '') return undefined
  }
}

/** The same Node options and variables as in a clone; what the environment sets wins. */
function launcher() {
  const variables = Object.entries(ALLOCATOR).map(([key, value]) => `export ${key}="\${${key}:-${value}}"`)
  return `#!/bin/sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")
node=node
if [ -x "$root/bin/node" ]; then node=$root/bin/node; fi
${variables.join('\n')}
export NODE_COMPILE_CACHE="\${NODE_COMPILE_CACHE:-$root/cache}"
exec "$node" ${NODE_ARGS.join(' ')} "$root/${BUNDLE}/sluice.js" "$@"
`
}
