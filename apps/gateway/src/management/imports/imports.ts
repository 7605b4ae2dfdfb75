import { isRefusal } from '@sluice/contract/errors'
import {
  IMPORT_MODES,
  IMPORT_OUTCOMES,
  type ImportChoices,
  type ImportMode,
  type ImportReport,
  type ImportRun,
} from '@sluice/contract/import'
import * as routes from '@sluice/contract/routes/imports'
import { findLatestImportRun, type ImportRunRow } from '@sluice/store/queries/imports/import-runs'
import { bind, type Binding } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import type { Uploads } from './uploads.ts'

export interface ImportStart {
  /** An address contains user and password; neither is stored. */
  readonly source: { readonly file: string; readonly label: string } | { readonly address: string }
  readonly mode: ImportMode
  readonly choices: ImportChoices
  readonly startedBy: number
  /** Called once when the run is over, whatever its result; never if it did not begin. */
  readonly ended?: () => void
}

export interface Importing {
  /** Starts a run that continues after the answer, and returns its id; 'busy' while any replica is running one. */
  start(order: ImportStart): Promise<number | 'busy'>
  /** Asks the current run, on any replica, to stop. */
  stop(): Promise<void>
}

export type ImportDeps = Pick<SharedPorts, 'database' | 'now' | 'report'> & {
  readonly importing: Importing
  readonly uploads: Uploads
}

/** Root only, because an import creates balances, keys and roles. */
export function importRoutes({ database, now, importing, uploads, report }: ImportDeps): readonly Binding[] {
  const db = database.kysely

  /** Whether run `id` has imported everything, so that its file is no longer needed. */
  const isImported = async (id: number): Promise<boolean> => {
    const run = await findLatestImportRun(db, now())
    return run?.id === id && run.mode === 'import' && run.outcome === 'done'
  }

  return [
    bind(routes.latestImport, async () => {
      const run = await findLatestImportRun(db, now())
      return { data: run === undefined ? null : wireOf(run) }
    }),

    bind(routes.uploadImport, async ({ query, context }) => {
      const upload = await uploads.receive(context.req.raw, query.name)
      return isRefusal(upload) ? upload : { data: { upload: upload.id, bytes: upload.size } }
    }),

    bind(routes.startImport, async ({ caller, body: { source, mode, ...choices } }) => {
      const order = { mode, choices, startedBy: caller.id }
      if (source.from === 'address') {
        const id = await importing.start({ ...order, source: { address: source.address } })
        return id === 'busy' ? { code: 'import_running' } : { data: { id } }
      }
      const used = uploads.use(source.upload)
      if (isRefusal(used)) return used
      const { file, label, giveBack } = used
      const ending = Promise.withResolvers<void>()
      const id = await importing
        .start({ ...order, source: { file, label }, ended: ending.resolve })
        .catch(async (error: unknown) => {
          await giveBack(false)
          throw error
        })
      if (id === 'busy') {
        await giveBack(false)
        return { code: 'import_running' }
      }
      void ending.promise
        .then(async () => await giveBack(await isImported(id)))
        .catch((error: unknown) => report(error, routes.startImport))
      return { data: { id } }
    }),

    bind(routes.stopImport, async () => {
      await importing.stop()
      return {}
    }),
  ]
}

function wireOf({ begun, ended, report, source, ...row }: ImportRunRow): ImportRun {
  return {
    id: row.id,
    name: source,
    label: row.label,
    family: row.family,
    mode: IMPORT_MODES.find((mode) => mode === row.mode) ?? 'check',
    outcome: IMPORT_OUTCOMES.find((outcome) => outcome === row.outcome) ?? 'failed',
    stopping: row.isStopping,
    stage: row.stage,
    done: row.done,
    total: row.total,
    started_by: row.startedBy,
    started_by_name: row.startedByName,
    started_at: Math.floor(begun / 1_000),
    ended_at: Math.ceil(ended / 1_000),
    // Written by the importer, in the form of the contract.
    report: report === '' ? null : (JSON.parse(report) as ImportReport),
  }
}
