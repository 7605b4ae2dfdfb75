import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')

/** The newest released version, which operators run today. Set this commit after each release. */
export const PREVIOUS_COMMIT = 'e202b6c1800a93308a0221b1079c7f383c92cff1'

export interface PreviousVersion {
  readonly program: string
  readonly source: (path: string) => string
  readonly remove: () => Promise<void>
}

/** Undefined when its sources are missing: in a copy without history, or a shallow clone. */
export async function buildPreviousVersion(): Promise<PreviousVersion | undefined> {
  const isKnown = await run('git', ['cat-file', '-e', `${PREVIOUS_COMMIT}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  )
  if (!isKnown) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'sluice-previous-'))
  const archive = join(folder, 'sources.tar')
  await run('git', ['archive', '--output', archive, PREVIOUS_COMMIT, 'package.json', 'apps', 'packages'], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', folder])
  await rm(archive)
  await linkPackages(folder)
  const out = join(folder, 'built')
  await run(process.execPath, ['--disable-warning=ExperimentalWarning', join('apps', 'gateway', 'bundle.ts'), out], {
    cwd: folder,
  })
  return {
    program: join(out, 'sluice.js'),
    source: (path) => join(folder, path),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Its own packages come from its sources, all others from this installation. */
async function linkPackages(folder: string): Promise<void> {
  const installed = join(ROOT, 'node_modules')
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@sluice'), { recursive: true })
  for (const name of await readdir(installed)) {
    if (name !== '@sluice' && !name.startsWith('.')) await symlink(join(installed, name), join(modules, name))
  }
  for (const group of ['apps', 'packages']) {
    for (const name of await readdir(join(folder, group))) {
      const own = JSON.parse(await readFile(join(folder, group, name, 'package.json'), 'utf8')) as { name: string }
      await symlink(join(folder, group, name), join(modules, own.name))
    }
  }
}
