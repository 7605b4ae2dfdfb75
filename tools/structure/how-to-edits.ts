import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A file that the how-to changes: its text before, empty for a new file, to its text after. */
export interface Edit {
  readonly path: string
  readonly change: (before: string) => string
}

const MIGRATIONS = 'packages/store/src/migrations'

/** Inserts a line before the only line that begins with `neighbour`. */
export function insertBefore(neighbour: string, path: string, line: string): Edit {
  return {
    path,
    change: (before) => {
      const places = before.split('\n').filter((each) => each.trimStart().startsWith(neighbour))
      const [place = ''] = places
      if (places.length !== 1) throw new Error(`${path} has ${places.length} lines "${neighbour}…" instead of one`)
      return before.replace(place, () => line + place)
    },
  }
}

/** A new migration that adds a column `trial_note` to a table, and its line in the list. */
export function addColumn(root: string, table: string, type: (t: string) => string): readonly Edit[] {
  const numbers = readdirSync(join(root, MIGRATIONS)).map((name) => Number(/^\d+/.exec(name)?.[0] ?? 0))
  const file = `${String(Math.max(...numbers) + 1).padStart(4, '0')}-trial-note`
  return [
    {
      path: `${MIGRATIONS}/${file}.ts`,
      change: () => `import type { Migration } from '../migration.ts'

export const trialNote: Migration = {
  name: '${file}',
  breaking: false,
  statements: (t) => [\`alter table ${table} add column trial_note ${type('${t.text}')}\`],
}
`,
    },
    {
      path: `${MIGRATIONS}/list.ts`,
      change: (before) => `import { trialNote } from './${file}.ts'\n${before.replace(/\]\s*$/, ', trialNote]\n')}`,
    },
  ]
}

function applyEdits(root: string, edits: readonly Edit[]): readonly string[] {
  return edits.flatMap(({ path, change }) => {
    const file = join(root, path)
    const before = readText(file)
    const after = change(before)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, after)
    return before === after ? [] : [path]
  })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The paths that a how-to's edits change in a copy of those files. */
export function changedPaths(root: string, edits: readonly Edit[]): readonly string[] {
  const files = [...new Set(edits.map(({ path }) => path))].filter((path) => existsSync(join(root, path)))
  const copy = copyTree(root, files)
  try {
    return applyEdits(copy, edits)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** Makes the edits in a copy of the whole tree, checks its types and runs these unit tests there. Throws if something fails. */
export function checkWithEdits(root: string, edits: readonly Edit[], tests: readonly string[]): void {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const copy = copyTree(
    root,
    tracked.filter((path) => existsSync(join(root, path))),
  )
  const run = (file: string, ...args: readonly string[]) =>
    execFileSync(process.execPath, [join(root, 'node_modules', file), ...args], { cwd: copy, stdio: 'inherit' })
  try {
    symlinkSync(join(root, 'tests/clients/node_modules'), join(copy, 'tests/clients/node_modules'))
    applyEdits(copy, edits)
    execFileSync(process.execPath, ['tools/reference/write.ts'], { cwd: copy })
    for (const project of ['tsconfig.json', 'apps/console/tsconfig.json'])
      run('typescript/bin/tsc', '-p', project, '--noEmit')
    run('vitest/vitest.mjs', 'run', '--project=units', ...tests)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** A copy of these files of the repository that finds its packages: our own in the copy, all others where they are installed. */
function copyTree(root: string, files: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'sluice-how-to-'))
  for (const file of files) cpSync(join(root, file), join(copy, file))
  const modules = join(root, 'node_modules')
  mkdirSync(join(copy, 'node_modules', '@sluice'), { recursive: true })
  for (const name of readdirSync(modules)) {
    if (name !== '@sluice') symlinkSync(join(modules, name), join(copy, 'node_modules', name))
  }
  for (const name of readdirSync(join(modules, '@sluice'))) {
    symlinkSync(readlinkSync(join(modules, '@sluice', name)), join(copy, 'node_modules', '@sluice', name))
  }
  return copy
}
