import { chmod, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { contentProblems } from './contents.ts'
import { licencesPage } from './licences.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export interface PackageManifest {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly engines: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

export const MANIFEST = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as PackageManifest

/**
 * Writes the files of the package into a folder: the bundled gateway of `program`, the built console, a launcher and three pages.
 * Program and console are placed as in a clone, so that one finds the other. Returns all paths, with `/`, and their sizes in bytes;
 * rejects when there is something that does not belong in it.
 */
export async function writePackageFolder(folder: string, program: string): Promise<ReadonlyMap<string, number>> {
  await fill(folder, program)
  const files = await filesOf(folder)
  const problems = contentProblems(files)
  if (problems.length > 0) throw new Error(`The package is wrong:\n${problems.join('\n')}`)
  return files
}

async function fill(to: string, program: string): Promise<void> {
  await cp(dirname(program), join(to, 'apps', 'gateway', 'dist', 'sluice'), { recursive: true })
  const isNeeded = (path: string) => !/[/\\]\.[^/\\]+$/.test(path)
  const builtConsole = join('apps', 'console', 'dist')
  await cp(join(ROOT, builtConsole), join(to, builtConsole), { recursive: true, filter: isNeeded })
  await writeLauncher(join(to, 'bin', 'sluice.mjs'))
  await cp(join(import.meta.dirname, 'README.md'), join(to, 'README.md'))
  await cp(join(ROOT, 'LICENSE'), join(to, 'LICENSE'))
  const notice = await readFile(join(ROOT, 'NOTICE.md'), 'utf8')
  await writeFile(join(to, 'NOTICE.md'), `${notice}\n${licencesPage(ROOT)}`)
  const manifest = {
    name: 'sluice',
    version: MANIFEST.version,
    description: MANIFEST.description,
    license: MANIFEST.license,
    type: 'module',
    bin: { sluice: 'bin/sluice.mjs' },
    files: ['apps', 'bin', 'LICENSE', 'NOTICE.md'],
    engines: MANIFEST.engines,
    // All other packages are in the bundle. Of these, npm installs the one for the machine's platform.
    optionalDependencies: MANIFEST.optionalDependencies,
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
