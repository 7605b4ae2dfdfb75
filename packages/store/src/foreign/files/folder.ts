import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { startProgram } from '../../sqlite/host.ts'
import { fileProblem } from '../sqlite/file-problem.ts'
import type { FileOrigin } from '../sqlite/open-private-file.ts'
import type { FileFormat } from './load-file.ts'
import type { LoadStep } from './load-program.ts'

interface TableFile {
  readonly table: string
  readonly path: string
  readonly format: FileFormat
}

/** A step loads 16 MB, but a file's last step also sorts its ids. */
const STEP_TIMEOUT_MS = 300_000
const MAX_FILES = 1_000

/** A folder with a file per table, `users.csv` or `users.jsonl`; files with other extensions are ignored. */
export function folderOrigin(folder: string, signal: AbortSignal): FileOrigin {
  return {
    subject: `the folder ${basename(folder)}`,
    state: async () => {
      const files = await tableFiles(folder)
      const states = await Promise.all(files.map(({ path }) => stat(path, { bigint: true })))
      return states.map(({ ino, size, mtimeNs }, at) => `${files[at]?.path}:${ino}:${size}:${mtimeNs}`).join('\n')
    },
    write: async (copy) => {
      const files = await tableFiles(folder)
      const problem = await folderProblem(files)
      return problem ?? (await load(files, copy, signal))
    },
  }
}

async function tableFiles(folder: string): Promise<readonly TableFile[]> {
  const names = await readdir(folder)
  return names.sort().flatMap((name) => {
    const [, table = '', ending = ''] = /^([^.].*)\.(csv|jsonl)$/i.exec(name) ?? []
    if (table === '') return []
    return [{ table, path: join(folder, name), format: ending.toLowerCase() === 'csv' ? 'csv' : 'jsonl' }]
  })
}

async function folderProblem(files: readonly TableFile[]): Promise<string | undefined> {
  if (files.length === 0) return 'does not contain a file that ends in .csv or .jsonl'
  if (files.length > MAX_FILES) return `contains more than ${MAX_FILES} files`
  const known = new Set<string>()
  for (const { table, path } of files) {
    if (known.has(table.toLowerCase())) return `contains two files for the table ${table}`
    known.add(table.toLowerCase())
    if (!(await stat(path)).isFile()) return `contains ${basename(path)}, which is not a file`
  }
  return undefined
}

async function load(files: readonly TableFile[], copy: string, signal: AbortSignal): Promise<string | undefined> {
  const program = new URL('./load-program.ts', import.meta.url)
  const host = await startProgram({ file: copy, program, timeoutMs: STEP_TIMEOUT_MS })
  const abandon = (): void => host.abandon()
  signal.addEventListener('abort', abandon, { once: true })
  try {
    for (const { path, format, table } of files) {
      try {
        await host.call('begin', [path, format, table])
        for (let isDone = false; !isDone;) {
          const step = (await host.call('step', [])) as LoadStep
          if ('problem' in step) return `cannot be read: ${basename(path)}, ${step.problem}`
          isDone = step.isDone
        }
      } catch (error) {
        const problem = fileProblem(error)
        if (problem === undefined) throw error
        return `cannot be read: ${basename(path)} ${problem}`
      }
    }
    await host.close()
    return undefined
  } finally {
    signal.removeEventListener('abort', abandon)
    host.abandon()
  }
}
