import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { type ConfigurationPlan, configurationPlan } from '@sluice/contract/configuration/plan'
import { isRefusal, type Refusal, refusalText } from '@sluice/contract/errors'
import type { Database } from '@sluice/store/database'
import { createVault } from '@sluice/store/vault'
import * as v from 'valibot'
import { type Configuration, documentDigest } from '../../declared/configuration.ts'
import { type DeclaredConfiguration, loadDocument } from '../../declared/document/check-document.ts'
import { documentSchema } from '../../declared/document/document-schema.ts'
import { DOCUMENT_BYTES_MAX, type Problems } from '../../declared/document/read-document.ts'
import type { ResolveSecret } from '../../declared/document/secrets.ts'
import { sharedNamesProblem } from '../../declared/remote-configuration.ts'
import { validateAlone } from '../../declared/validate-alone.ts'
import { openConfiguredClock, openExisting, openGivenVault, StartProblem } from '../../environment/configured.ts'
import type { Config } from '../../environment/environment.ts'
import { createLog } from '../../process/logger.ts'
import { configurationOf, localSecrets, rulesOf } from '../../start/configuration-files.ts'
import { printChanges, printPlan } from './print-plan.ts'

export interface PlanFlags {
  readonly file: string
  readonly prune?: true
  readonly json?: true
}
export interface ApplyFlags extends PlanFlags {
  readonly plan?: string
}

/** Exit codes of `plan`; every other command exits with 0 or 1. */
const NOTHING_TO_DO = 0
const REFUSED = 1
const CHANGES = 2

const ACTOR = { id: 0, name: 'sluice config', role: 100, address: '' }

/** Prints the configuration as a file and, on standard error, what must be set before it can be applied. */
export async function exportConfiguration(config: Config, out: string | undefined): Promise<number> {
  return await withConfiguration(config, async (configuration) => {
    const exported = await configuration.export()
    if ('sharedNames' in exported) throw new StartProblem(sharedNamesProblem(exported.sharedNames))
    if (out === undefined) process.stdout.write(exported.document)
    else await writeFile(out, exported.document, { flag: 'wx', mode: 0o600 })
    if (exported.variables.length > 0) {
      console.error('It refers to these variables; set them where the file is applied:')
      for (const variable of exported.variables) console.error(`  ${variable}`)
    }
    return 0
  })
}

/** Needs no database. */
export async function validateFile(config: Config, file: string, withSecrets: boolean): Promise<number> {
  const anySecret: ResolveSecret = async () => ({ value: 'not looked up' })
  const secrets = withSecrets ? localSecrets(config.dataDir, process.env) : anySecret
  const declared = await loadDocument(await contentOf(file), secrets)
  const checked =
    'problems' in declared
      ? declared
      : validateAlone(rulesOf(config, createVault([randomBytes(32)])), declared, withSecrets)
  if (checked !== undefined && 'problems' in checked) return refuse(file, checked)
  console.log(`${file} is a valid configuration file.`)
  return 0
}

export async function planFile(config: Config, { file, prune, json }: PlanFlags): Promise<number> {
  const declared = await declaredIn(config, file)
  if ('problems' in declared) return refuse(file, declared)
  return await withConfiguration(config, async (configuration) => {
    const plan = await configuration.plan(declared, prune === true)
    if ('problems' in plan || isRefusal(plan)) return refuse(file, plan)
    if (json) console.log(JSON.stringify(plan, null, 2))
    else printPlan(plan, (line) => console.log(line))
    return plan.changes.length === 0 ? NOTHING_TO_DO : CHANGES
  })
}

export async function applyFile(config: Config, { file, prune, plan: planned, json }: ApplyFlags): Promise<number> {
  const declared = await declaredIn(config, file)
  if ('problems' in declared) return refuse(file, declared)
  const plan = planned === undefined ? undefined : await readPlan(planned)
  if (plan !== undefined && plan.document !== documentDigest(declared)) {
    throw new StartProblem(`${planned} is the plan for another file, or ${file} has changed since. Make a new plan.`)
  }
  return await withConfiguration(config, async (configuration) => {
    const applied = await configuration.apply(declared, {
      prune: prune === true,
      state: plan?.state,
      actor: ACTOR,
      action: 'sluice config apply',
    })
    if ('problems' in applied || isRefusal(applied)) return refuse(file, applied)
    if (json) console.log(JSON.stringify(applied, null, 2))
    else printChanges(applied.changes, (line) => console.log(line))
    return 0
  })
}

export async function releaseOwner(config: Config, owner: string): Promise<number> {
  return await withConfiguration(config, async (configuration) => {
    const released = await configuration.release(owner, ACTOR, 'sluice config release')
    console.log(
      released === 0
        ? `No file with the label "${owner}" owns anything.`
        : `${released} items that "${owner}" owned can now be changed anywhere again.`,
    )
    return 0
  })
}

export function printSchema(): number {
  console.log(JSON.stringify(documentSchema(), null, 2))
  return 0
}

async function declaredIn(config: Config, file: string): Promise<DeclaredConfiguration | Problems> {
  return await loadDocument(await contentOf(file), localSecrets(config.dataDir, process.env))
}

async function contentOf(file: string): Promise<Uint8Array> {
  if (file === '-') {
    const parts: Buffer[] = []
    let size = 0
    for await (const part of process.stdin as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size > DOCUMENT_BYTES_MAX) break
    }
    return Buffer.concat(parts)
  }
  return await readFile(file).catch(() => {
    throw new StartProblem(`${file} does not exist or cannot be read.`)
  })
}

async function readPlan(file: string): Promise<ConfigurationPlan> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new StartProblem(`${file} does not exist or cannot be read.`)
  })
  const parsed = v.safeParse(configurationPlan, jsonOf(text))
  if (!parsed.success) throw new StartProblem(`${file} is not the output of "sluice config plan --json".`)
  return parsed.output
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refuse(file: string, refused: Problems | Refusal): number {
  if ('problems' in refused) {
    for (const { line, column, path, rule } of refused.problems) {
      console.error(`${file}:${line}:${column}: ${path === '' ? 'the file' : path} ${rule}`)
    }
  } else {
    console.error(refusalText(refused))
  }
  return REFUSED
}

/** Opens the database even while gateways are running: they notice changes. */
async function withConfiguration(
  config: Config,
  work: (configuration: Configuration) => Promise<number>,
): Promise<number> {
  await using opening = new AsyncDisposableStack()
  const database: Database = await openExisting(config)
  opening.defer(() => database.close())
  const vault = await openGivenVault(config)
  const clock = await openConfiguredClock(database, createLog('silent'))
  opening.defer(() => clock.close())
  return await work(configurationOf(config, { database, vault, now: clock.now }))
}
