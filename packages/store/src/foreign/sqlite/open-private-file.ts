import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProgramHost, startProgram } from '../../sqlite/host.ts'
import { textDecoder, type TextEncodingName } from '../decode-text.ts'
import { ForeignTrouble, type ForeignValue } from '../foreign-database.ts'
import { type OpenedSource, quoted, type SourceTable, type SourceWords, tablesOf } from '../source-engine.ts'
import { fileProblem } from './file-problem.ts'

/** The source of a private SQLite file's rows. */
export interface FileOrigin {
  /** The subject of sentences about it: "the file one-api.db". */
  readonly subject: string
  /** Changes when the origin does. Rejects with the system's error. */
  state(): Promise<string>
  /** Creates the file. Returns what prevents it, as the second half of a sentence about `subject`. */
  write(file: string): Promise<string | undefined>
}

/** Long, because a statement on a private file disturbs no one. */
const QUERY_TIMEOUT_MS = 300_000

interface Moment {
  readonly host: ProgramHost
  readonly state: string
  readonly tables: ReadonlyMap<string, SourceTable>
  readonly decode: (bytes: Uint8Array) => string | undefined
}

/**
 * Opens a copy of the origin in its own directory below `temporaryDirectory`, which is removed at the end; a thread reads the copy.
 * `refresh` makes another copy if the origin has changed.
 */
export async function openPrivateFile(
  origin: FileOrigin,
  options: { readonly temporaryDirectory: string; readonly signal: AbortSignal },
): Promise<OpenedSource> {
  const directory = await mkdtemp(join(options.temporaryDirectory, 'sluice-source-'))
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true })
  let made = 0
  let moment: Moment | undefined

  const begin = async (): Promise<{ readonly problem: string } | undefined> => {
    made += 1
    const folder = join(directory, String(made))
    try {
      const found = await makeMoment(origin, folder)
      if ('problem' in found) return found
      moment = found
      return undefined
    } catch (error) {
      return { problem: troubleOf(origin.subject, error).message }
    }
  }
  const end = async (): Promise<void> => {
    const { host } = moment ?? {}
    moment = undefined
    host?.abandon()
    await rm(join(directory, String(made)), { recursive: true, force: true })
  }

  const problem = await begin()
  if (problem !== undefined || moment === undefined) {
    await remove()
    return problem ?? { problem: `${origin.subject} cannot be read` }
  }
  options.signal.addEventListener('abort', () => moment?.host.abandon(), { once: true })

  const current = (): Moment => {
    if (moment === undefined || moment.host.generation > 0)
      throw new ForeignTrouble(`${origin.subject} is no longer open`)
    return moment
  }
  return {
    source: {
      get tables() {
        return current().tables
      },
      words: SQLITE_WORDS,
      query: async (sql) => {
        try {
          return await valuesOf(current().host, sql)
        } catch (error) {
          throw troubleOf(origin.subject, error)
        }
      },
      decodeText: (bytes) => current().decode(bytes),
      refresh: async () => {
        const state = await origin.state().catch((error: unknown) => {
          throw troubleOf(origin.subject, error)
        })
        if (moment?.state === state && moment.host.generation === 0) return
        await end()
        const failed = await begin()
        if (failed !== undefined) throw new ForeignTrouble(failed.problem)
      },
      close: async () => {
        await end()
        await remove()
      },
    },
  }
}

/** Real tables and stored columns. Reading 200 tables with 1,000 columns is enough to know that there are too many. */
const CATALOGUE = `
  select l.name, x.name from pragma_table_list l join pragma_table_xinfo(l.name) x
  where l.schema = 'main' and l.type = 'table' and l.name not like 'sqlite\\_%' escape '\\' and x.hidden = 0
  order by l.name, x.cid limit 200000`

async function makeMoment(origin: FileOrigin, folder: string): Promise<Moment | { readonly problem: string }> {
  await mkdir(folder, { mode: 0o700 })
  const file = join(folder, 'source.db')
  const state = await origin.state()
  const unwritten = await origin.write(file)
  if (unwritten !== undefined) return { problem: `${origin.subject} ${unwritten}` }
  const program = new URL('./rows-program.ts', import.meta.url)
  const host = await startProgram({ file, program, timeoutMs: QUERY_TIMEOUT_MS, access: 'foreign' })
  try {
    const [encoding, catalogue] = [await valuesOf(host, 'pragma encoding'), await valuesOf(host, CATALOGUE)]
    const tables = tablesOf(
      catalogue.map(([table, column]) => ({
        table: String(table),
        tableSql: `main.${quoted(String(table))}`,
        column: String(column),
        shape: 'any',
      })),
    )
    return { host, state, tables, decode: textDecoder(encoding[0]?.[0] as TextEncodingName) }
  } catch (error) {
    host.abandon()
    throw error
  }
}

async function valuesOf(host: ProgramHost, sql: string): Promise<readonly (readonly ForeignValue[])[]> {
  return (await host.call('values', [sql])) as readonly (readonly ForeignValue[])[]
}

function troubleOf(subject: string, error: unknown): Error {
  if (error instanceof ForeignTrouble) return error
  const problem = fileProblem(error)
  if (problem !== undefined) return new ForeignTrouble(`${subject} ${problem}`, { cause: error })
  return new ForeignTrouble(`reading ${subject} was abandoned: ${String(error)}`, { cause: error })
}

/** In SQLite every value has its own type, whatever its column declares. */
const SQLITE_WORDS: SourceWords = {
  value: ({ sql }) => sql,
  // SQLite sorts texts and blobs after every number; reals are between the integers.
  key: ({ sql }) => ({ sql, where: `typeof(${sql}) = 'integer'` }),
  integer: ({ sql }) => `case when typeof(${sql}) = 'integer' then ${sql} end`,
  // SQLite knows it from the row's header, without reading the value.
  size: ({ sql }) => `octet_length(${sql})`,
  // A blob is not a name: its bytes would pass for a text.
  name: ({ sql }) => `case when typeof(${sql}) = 'blob' then x'ff' else cast(cast(${sql} as text) as blob) end`,
  exactText: ({ sql }) => `case when typeof(${sql}) = 'text' then cast(${sql} as blob) end`,
}
