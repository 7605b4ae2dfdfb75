import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Whether a path of the repository reaches the builder. */
export type Context = (path: string) => boolean

/**
 * Reads `.dockerignore`: the last line that matches a path or a folder above it decides, and `!` includes it again
 * (https://docs.docker.com/build/concepts/context/#dockerignore-files).
 */
export async function readContext(root: string): Promise<Context> {
  const lines = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n')
  const rules = lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const isKept = line.startsWith('!')
      const pattern = isKept ? line.slice(1) : line
      const body = pattern
        .split('/')
        .map((part) => (part === '**' ? '(?:.*/)?' : `${part.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}/`))
        .join('')
      return { isKept, matches: new RegExp(`^${body}`) }
    })
  return (path) => rules.findLast(({ matches }) => matches.test(`${path}/`))?.isKept ?? true
}

/** Large folders from which nothing is included again. */
const NEVER_KEPT = new Set(['node_modules', '.git', 'dist'])

export async function filesOf(root: string, context: Context, folder = ''): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (!entry.isDirectory()) return context(path) ? [path] : []
      return NEVER_KEPT.has(entry.name) ? [] : await filesOf(root, context, path)
    }),
  )
  return found.flat()
}

export async function copyContext(root: string, context: Context, target: string): Promise<void> {
  for (const path of await filesOf(root, context)) {
    await mkdir(dirname(join(target, path)), { recursive: true })
    await copyFile(join(root, path), join(target, path))
  }
}
