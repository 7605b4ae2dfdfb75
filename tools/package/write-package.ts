import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MANIFEST, writePackageFolder } from './package-folder.ts'

/**
 * `node write-package.ts <program> <directory>` writes `sluice-<version>.tgz` from gateway bundle and console build. See decision
 * 72.
 */
const [program = '', directory = ''] = process.argv.slice(2)

await mkdir(directory, { recursive: true })
const folder = await mkdtemp(join(directory, 'unpacked-'))
try {
  const files = await writePackageFolder(folder, program)
  const archive = await pack(folder)
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
  const unpacked = [...files.values()].reduce((sum, bytes) => sum + bytes, 0)
  const { size } = await stat(archive)
  console.log(`${archive}: ${megabytes(size)}, ${files.size} files of ${megabytes(unpacked)} in all.`)
} finally {
  await rm(folder, { recursive: true })
}

async function pack(from: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', directory]
  const script = process.env['npm_execpath']
  const isOwn = script?.endsWith('.js') === true
  const command = isOwn ? process.execPath : process.platform === 'win32' ? 'npm.cmd' : 'npm'
  await promisify(execFile)(command, isOwn ? [script, ...args] : args, { cwd: from, shell: command.endsWith('.cmd') })
  return join(directory, `sluice-${MANIFEST.version}.tgz`)
}
