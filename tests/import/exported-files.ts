import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runSluice } from '@sluice/testkit/gateway-process'
import type { Imported } from './imported-gateway.ts'

/** Lines of each file of `sluice export`, sorted. */
export type ExportedFiles = Readonly<Record<string, readonly string[]>>

/** Objects without a date at the source get that of their import, which differs between imports. */
const BEGUN = Date.now() / 1_000
const HOUR = 3_600

export async function exportedFiles(imported: Pick<Imported, 'dataDir' | 'env'>): Promise<ExportedFiles> {
  const folder = join(imported.dataDir, 'exported')
  const { code, output } = await runSluice(['export', folder], imported)
  if (code !== 0) throw new Error(`sluice export ended with ${code}:\n${output}`)
  const names = (await readdir(folder)).toSorted()
  const files = await Promise.all(
    names.map(async (name) => {
      const lines = (await readFile(join(folder, name), 'utf8')).split('\r\n')
      return [name, lines.map(withoutTimeOfImport).toSorted()] as const
    }),
  )
  return Object.fromEntries(files)
}

function withoutTimeOfImport(line: string): string {
  return line.replaceAll(/(?<=,)\d{10}(?=,|$)/g, (seconds) =>
    Math.abs(Number(seconds) - BEGUN) < HOUR ? '(time of the import)' : seconds,
  )
}

/** Without root's password, which an import keeps if root had one. */
export function withoutRootPassword({ 'users.csv': users = [], ...others }: ExportedFiles): ExportedFiles {
  return { ...others, 'users.csv': users.map((line) => line.replace(/^1,root,[^,]+/, '1,root,')) }
}
