import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ImportReport } from '@sluice/contract/import'
import { latestImport, startImport } from '@sluice/contract/routes/imports'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import type { SourceEngine, TestSource } from '@sluice/testkit/import/foreign-sources'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import { createPostgresDatabase } from '@sluice/testkit/postgres-databases'
import { expect } from 'vitest'
import { type Fixture, type FixtureName, fixtureFile, readFixture } from './fixture.ts'
import { loadFixture } from './load-fixture.ts'

/** A migration route: program, kind of source, kind of target. */
export interface Way {
  readonly family: FixtureName
  /** `upload`: root sends the SQLite file through the management API. All other sources are named on the command line. */
  readonly from: SourceEngine | 'upload'
  readonly into: 'sqlite' | 'postgres'
}

export interface Imported {
  readonly fixture: Fixture
  readonly source: TestSource
  readonly dataDir: string
  /** Variables that name the database. */
  readonly env: Readonly<Record<string, string>>
  /** Set only after an upload, which needs a running gateway. */
  readonly gateway: GatewayProcess | undefined
  readonly report: ImportReport
  remove(): Promise<void>
}

export async function importFixture({ family, from, into }: Way): Promise<Imported> {
  const fixture = await readFixture(family)
  const source = await loadFixture(from === 'upload' ? 'sqlite' : from, fixture)
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-imported-'))
  const database = into === 'postgres' ? await createPostgresDatabase('empty') : undefined
  const env = database === undefined ? {} : { DATABASE_URL: database.url }
  const remove = async (): Promise<void> => {
    await rm(dataDir, { recursive: true, force: true })
    await source.remove()
    await database?.drop()
  }
  const there = { fixture, source, dataDir, env, remove }
  if (from === 'upload') {
    const gateway = await startImported(there)
    const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
    return { ...there, gateway, report: await importByUpload(gateway.url, root, family) }
  }
  return { ...there, gateway: undefined, report: await importByCommand(there) }
}

type Place = Pick<Imported, 'source' | 'dataDir' | 'env'>

export async function importByCommand({ source, dataDir, env }: Place): Promise<ImportReport> {
  const json = join(dataDir, 'report.json')
  const { code, output } = await runSluice(['import', source.source, '--json', json], { dataDir, env })
  expect(code, output).toBe(0)
  const { report } = JSON.parse(await readFile(json, 'utf8')) as { readonly report: ImportReport }
  return report
}

export const startImported = ({ dataDir, env }: Pick<Imported, 'dataDir' | 'env'>): Promise<GatewayProcess> =>
  startGateway({ dataDir, env: { SLUICE_LOG_LEVEL: 'warn', ...env } })

export async function importByUpload(url: string, root: ManagementClient, name: FixtureName): Promise<ImportReport> {
  const response = await fetch(`${url}/api/import/upload?name=one-api.db`, {
    method: 'POST',
    headers: { cookie: root.cookie, 'content-type': 'application/octet-stream' },
    body: await readFile(fixtureFile(name)),
  })
  const { data } = (await response.json()) as { readonly data: { readonly upload: string } }
  return await importBy(root, { from: 'upload', upload: data.upload })
}

export async function importBy(
  root: ManagementClient,
  source: { readonly from: 'upload'; readonly upload: string } | { readonly from: 'address'; readonly address: string },
): Promise<ImportReport> {
  const { id } = await root.call(startImport, { body: { source, mode: 'import' } })
  // Also called outside a test, where `expect` cannot poll.
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(LOOK_MS)) {
    const run = await root.call(latestImport)
    if (run?.id !== id || run.outcome === 'running') continue
    expect(run).toMatchObject({ outcome: 'done' })
    if (run.report !== null) return run.report
  }
  throw new Error(`import ${id} has not ended within ${PATIENCE_MS} ms`)
}

const PATIENCE_MS = 60_000
const LOOK_MS = 100
