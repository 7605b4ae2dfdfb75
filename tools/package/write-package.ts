import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { contentProblems } from './contents.ts'
import { licencesPage } from './licences.ts'

/**
 * `node write-package.ts <program> <directory>` writes `sluice-<version>.tgz` into the directory, from the bundled gateway and the
 * built console. Inside, both lie as in a clone, so that the program finds the console. See decision 72.
 */
const [program = '', directory = ''] = process.argv.slice(2)
const ROOT = join(import.meta.dirname, '..', '..')

const { version, description, license, engines, optionalDependencies } = JSON.parse(
  await readFile(join(ROOT, 'package.json'), 'utf8'),
) as Readonly<Record<'version' | 'description' | 'license', string>> &
  Readonly<Record<'engines' | 'optionalDependencies', Readonly<Record<string, string>>>>

await mkdir(directory, { recursive: true })
const folder = await mkdtemp(join(directory, 'unpacked-'))
try {
  await fill(folder)
  const files = await filesOf(folder)
  const problems = contentProblems(files)
  if (problems.length > 0) throw new Error(`The package is wrong:\n${problems.join('\n')}`)
  const archive = await pack(folder)
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
  const unpacked = [...files.values()].reduce((sum, bytes) => sum + bytes, 0)
  const { size } = await stat(archive)
  console.log(`${archive}: ${megabytes(size)}, ${files.size} files of ${megabytes(unpacked)} in all.`)
} finally {
  await rm(folder, { recursive: true })
}

async function fill(to: string): Promise<void> {
  await cp(dirname(program), join(to, 'apps', 'gateway', 'dist', 'sluice'), { recursive: true })
  const isNeeded = (path: string) => !/[/\\]\.[^/\\]+$/.test(path)
  const builtConsole = join('apps', 'console', 'dist')
  await cp(join(ROOT, builtConsole), join(to, builtConsole), { recursive: true, filter: isNeeded })
  await writeLauncher(join(to, 'bin', 'sluice.mjs'))
  await cp(join(import.meta.dirname, 'README.md'), join(to, 'README.md'))
  const notice = await readFile(join(ROOT, 'NOTICE.md'), 'utf8')
  await writeFile(join(to, 'NOTICE.md'), `${notice}\n${licencesPage(ROOT)}`)
  const manifest = {
    name: 'sluice',
    version,
    description,
    license,
    type: 'module',
    bin: { sluice: 'bin/sluice.mjs' },
    files: ['apps', 'bin', 'NOTICE.md'],
    engines,
    // Everything else is in the bundle. npm installs the one for the machine's platform.
    optionalDependencies,
  }
  await writeFile(join(to, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

async function writeLauncher(file: string): Promise<void> {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'launcher.mjs'), platform: 'node' })
  await bundle.write({ file, format: 'esm', banner: '#!/usr/bin/env node' })
  await bundle.close()
  await chmod(file, 0o755)
}

/** Paths with `/`, and sizes in bytes. */
async function filesOf(root: string): Promise<ReadonlyMap<string, number>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      paths.map(async (path) => [relative(root, path).split(sep).join('/'), (await stat(path)).size] as const),
    ),
  )
}

async function pack(from: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', directory]
  const script = process.env['npm_execpath']
  const isOwn = script?.endsWith('.js') === true
  const command = isOwn ? process.execPath : process.platform === 'win32' ? 'npm.cmd' : 'npm'
  await promisify(execFile)(command, isOwn ? [script, ...args] : args, { cwd: from, shell: command.endsWith('.cmd') })
  return join(directory, `sluice-${version}.tgz`)
}
