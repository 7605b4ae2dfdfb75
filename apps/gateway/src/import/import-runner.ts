import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ImportMode, ImportProblem, ImportReport, ImportStage } from '@sluice/contract/import'
import { createJob, type JobDeps, type JobRun } from '@sluice/coordination/job'
import { ForeignTrouble } from '@sluice/store/foreign/foreign-database'
import { openForeignDatabase } from '@sluice/store/foreign/open-foreign-database'
import {
  askImportToStop,
  IMPORT_JOB,
  type ImportProgress,
  insertImportRun,
  writeImportProgress,
} from '@sluice/store/queries/imports/import-runs'
import { type Choices, type ImportContext, type ImportDeps, ImportTrouble } from './import-context.ts'
import { createReportWriter } from './report-writer.ts'
import { type ImportResult, type ProvedLine, runImport } from './run-import.ts'
import { recogniseFamily } from './take/family.ts'

/** After this time, another run can follow one whose process died. */
const LEASE_MS = 30_000

export interface ImportOrder {
  /** Path of a file or folder, or the address of a server. */
  readonly source: string
  /** Shown instead of the source's own description, such as the name of an uploaded file. */
  readonly label?: string | undefined
  readonly mode: ImportMode
  /** If empty, the name of the program is used. */
  readonly name: string
  readonly choices: Choices
  /** Id of the user who starts it; 0 for the command line. */
  readonly startedBy: number
}

export interface ImportingDeps extends ImportDeps, Pick<JobDeps, 'replica' | 'timers'> {
  /** A folder of this process alone, for copies of sources while they are read. */
  readonly directory: string
  readonly prove: () => Promise<readonly ProvedLine[]>
}

export interface ImportListener {
  readonly onProblem?: (problem: ImportProblem) => void
  readonly onStage?: (stage: ImportStage, total: number) => void
}

export interface EndedImport {
  readonly id: number
  readonly outcome: 'done' | 'refused' | 'failed' | 'stopped'
  readonly report: ImportReport | undefined
  /** The reason for a refusal or failure; empty otherwise. */
  readonly reason: string
}

export interface BegunImport {
  readonly id: number
  /** Ends early, as stopped, when `signal` aborts. Rejects only for a bug, after its end was stored. */
  run(signal: AbortSignal): Promise<EndedImport>
}

export interface ImportRunner {
  /** `busy` while a run is active on any replica. */
  begin(order: ImportOrder, listener?: ImportListener): Promise<BegunImport | 'busy'>
  /** Asks the current run, on any replica, to stop. */
  stop(): Promise<void>
}

export function createImportRunner(deps: ImportingDeps): ImportRunner {
  const db = deps.database.kysely
  const job = createJob(deps, IMPORT_JOB, LEASE_MS)

  const begin = async (order: ImportOrder, listener: ImportListener, held: JobRun): Promise<BegunImport> => {
    const { name, label = placeOf(order.source), mode, startedBy } = order
    const { epoch } = held
    const id = await insertImportRun(db, { epoch, source: name, label, mode, startedBy, begun: deps.now() })
    const progress = { source: name, family: '', stage: 'open', done: 0, total: 0, report: '', label }
    const write = (end?: { readonly outcome: string; readonly at: number }) =>
      writeImportProgress(db, { id, epoch }, progress satisfies ImportProgress, end)
    const directory = join(deps.directory, String(id))

    const work = async (signal: AbortSignal): Promise<Omit<EndedImport, 'id'>> => {
      try {
        return await runOrder(deps, order, { signal, listener, progress, directory })
      } catch (error) {
        if (!signal.aborted) throw error
        return { outcome: 'stopped', report: undefined, reason: '' }
      }
    }
    const end = async (_: AbortSignal, ended: Omit<EndedImport, 'id'> = BROKEN): Promise<void> => {
      if (ended.report !== undefined) progress.report = JSON.stringify(withReason(ended.report, ended))
      else if (ended.reason !== '') progress.report = JSON.stringify(withReason(EMPTY_REPORT, ended))
      await write({ outcome: ended.outcome, at: deps.now() }).catch(() => {})
      await rm(directory, { recursive: true, force: true }).catch(() => {})
    }
    return {
      id,
      run: async (closing) => ({ id, ...(await held.work({ closing, work, write: () => write(), end })) }),
    }
  }

  return {
    begin: (order, listener = {}) => job.begin((held) => begin(order, listener, held)),
    stop: async () => {
      await askImportToStop(db)
      job.stop()
    },
  }
}

const BROKEN: Omit<EndedImport, 'id'> = {
  outcome: 'failed',
  report: undefined,
  reason: 'Something went wrong in the gateway.',
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

interface Running {
  readonly signal: AbortSignal
  readonly listener: ImportListener
  readonly progress: Writable<ImportProgress> & { label: string }
  readonly directory: string
}

async function runOrder(
  deps: ImportingDeps,
  order: ImportOrder,
  { signal, listener, progress, directory }: Running,
): Promise<Omit<EndedImport, 'id'>> {
  const refused = (reason: string) => ({ outcome: 'refused', report: undefined, reason }) as const
  // A process that was killed may have left a copy there, with all its data.
  await rm(deps.directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const opened = await openForeignDatabase(order.source, {
    signal,
    temporaryDirectory: directory,
  })
  if ('problem' in opened) return refused(asSentence(opened.problem))
  await using closing = new AsyncDisposableStack()
  closing.defer(() => opened.database.close())
  const match = recogniseFamily(opened.database.tables)
  if ('problem' in match) return refused(match.problem)
  progress.family = match.family
  progress.source = order.name === '' ? match.family : order.name
  progress.label = order.label ?? opened.database.label
  const context: ImportContext = {
    ...deps,
    source: opened.database,
    family: match.family,
    name: progress.source,
    columns: match.columns,
    choices: order.choices,
    actor: order.startedBy,
    report: createReportWriter(listener.onProblem ?? (() => {})),
    signal,
  }
  try {
    const result = await runImport(context, {
      writes: order.mode === 'import',
      progress: {
        stage: (stage, total) => {
          Object.assign(progress, { stage, total, done: 0 })
          listener.onStage?.(stage, total)
        },
        rows: (rows) => {
          progress.done += rows
        },
      },
      prove: deps.prove,
    })
    return { reason: reasonOf(result), outcome: result.outcome, report: result.report }
  } catch (error) {
    if (error instanceof ForeignTrouble || error instanceof ImportTrouble) {
      return { outcome: 'failed', report: undefined, reason: error.message }
    }
    throw error
  }
}

function asSentence(problem: string): string {
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}

/** Description of a source before it is open: a file's name, or a server without user and password. */
function placeOf(source: string): string {
  const url = URL.parse(source)
  return url === null || url.host === '' ? basename(source) : `${url.protocol}//${url.host}${url.pathname}`
}

function reasonOf(result: ImportResult): string {
  if (result.outcome === 'failed') return result.reason
  return result.report.refused[0] ?? ''
}

/** Adds the reason for the run's end to the reasons why nothing was written, unless it is already among them. */
function withReason(report: ImportReport, { outcome, reason }: Pick<EndedImport, 'outcome' | 'reason'>): ImportReport {
  if (reason === '' || report.refused.includes(reason)) return report
  return outcome === 'failed' || outcome === 'refused' ? { ...report, refused: [...report.refused, reason] } : report
}

const NOTHING = {
  users: 0,
  balances: '0',
  digest: '',
  tokens: 0,
  limits: '0',
  channels: 0,
  codes_unused: 0,
  codes: '0',
  requests: 0,
  used: '0',
}

const EMPTY_REPORT: ImportReport = {
  tables: [],
  problems: [],
  problem_count: 0,
  kept: [],
  kept_count: 0,
  refused: [],
  notes: [],
  unknown: [],
  before: NOTHING,
  after: null,
  balances_now: null,
  prices: [],
  settings: [],
  proof: null,
}
