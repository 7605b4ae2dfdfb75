import { readdir } from 'node:fs/promises'
import { insertImportRun, writeImportProgress, IMPORT_JOB } from '@sluice/store/queries/imports/import-runs'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ImportStart } from './imports.ts'

const BEGINS = 'SQLite format 3\0'

let bench: ManagementBench
let root: TestCaller
let orders: ImportStart[]
beforeEach(async () => {
  bench = await openManagementBench()
  root = await bench.addCaller('root', 100)
  orders = []
  bench.importing = {
    start: async (order) => orders.push(order),
    stop: async () => {},
  }
})
afterEach(async () => {
  expect(bench.reported).toEqual([])
  await bench.close()
})

async function upload(name = 'one-api.db') {
  const reply = await bench.fetch(
    new Request(`http://localhost:3000/api/import/upload?name=${name}`, {
      method: 'POST',
      headers: { host: 'localhost:3000', cookie: root.cookie, 'content-type': 'application/octet-stream' },
      body: BEGINS,
    }),
  )
  const { data } = (await reply.json()) as { readonly data: { readonly upload: string; readonly bytes: number } }
  return data
}

const start = (body: object) => bench.ask<{ readonly id: number }>('POST', '/api/import/', { as: root, body })
const files = () => readdir(bench.uploadDirectory)

async function addRun(mode: string, outcome: string, report = '') {
  const db = bench.database.kysely
  const epoch = 1
  await db
    .insertInto('lease')
    .values({ job: IMPORT_JOB, owner: 'test', epoch, until_ms: bench.clock.now + 60_000 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const begun = bench.clock.now - 2_500
  const run = { epoch, source: '', label: 'one-api.db', mode, startedBy: root.id, begun }
  const id = await insertImportRun(db, run)
  const progress = { source: 'one-api', family: 'one-api', stage: 'check', done: 5, total: 7, report }
  await writeImportProgress(
    db,
    { id, epoch },
    progress,
    outcome === 'running' ? undefined : { outcome, at: begun + 2_001 },
  )
  return id
}

test('there is no run at first, then the latest with its progress and report', async () => {
  expect(await bench.ask('GET', '/api/import/', { as: root })).toMatchObject({ success: true, data: null })
  const id = await addRun('check', 'running')
  const seconds = Math.floor((bench.clock.now - 2_500) / 1_000)
  expect(await bench.ask('GET', '/api/import/', { as: root })).toMatchObject({
    data: {
      id,
      name: 'one-api',
      label: 'one-api.db',
      family: 'one-api',
      mode: 'check',
      outcome: 'running',
      stopping: false,
      stage: 'check',
      done: 5,
      total: 7,
      started_by: root.id,
      started_by_name: 'root',
      started_at: seconds,
      ended_at: 0,
      report: null,
    },
  })
  await addRun('import', 'refused', JSON.stringify({ refused: ['a user has a negative balance'] }))
  expect(await bench.ask('GET', '/api/import/', { as: root })).toMatchObject({
    data: { outcome: 'refused', ended_at: seconds + 3, report: { refused: ['a user has a negative balance'] } },
  })
})

test('an uploaded file is checked and imported with the choices of the order', async () => {
  const { upload: id, bytes } = await upload()
  expect(bytes).toBe(BEGINS.length)
  const source = { from: 'upload', upload: id }
  expect(await start({ source, mode: 'check', logs: 'rows', debts: 'forgive' })).toMatchObject({ data: { id: 1 } })
  expect(orders).toMatchObject([
    {
      source: { file: `${bench.uploadDirectory}/${id}.sqlite`, label: 'one-api.db' },
      mode: 'check',
      choices: { name: '', logs: 'rows', since: 0, debts: 'forgive', prices: 'keep', leave_out: false, roots: 'one' },
      startedBy: root.id,
    },
  ])
})

test('a file stays after a check and after an import that failed, and goes after one that is done', async () => {
  const { upload: id } = await upload()
  const source = { from: 'upload', upload: id }
  for (const [mode, outcome, left] of [
    ['check', 'done', 1],
    ['import', 'failed', 1],
    ['import', 'done', 0],
  ] as const) {
    bench.importing = {
      start: async (order) => {
        orders.push(order)
        return await addRun(mode, outcome)
      },
      stop: async () => {},
    }
    expect(await start({ source, mode })).toMatchObject({ success: true })
    orders.at(-1)?.ended?.()
    await expect.poll(files).toHaveLength(left)
  }
  expect(await start({ source, mode: 'check' })).toMatchObject({ success: false, code: 'upload_gone' })
})

test('one run at a time: the next is refused, and its file stays', async () => {
  const { upload: id } = await upload()
  bench.importing = { start: async () => 'busy', stop: async () => {} }
  for (const source of [
    { from: 'upload', upload: id },
    { from: 'address', address: 'mysql://a@b/c' },
  ]) {
    expect(await start({ source, mode: 'check' })).toMatchObject({ success: false, code: 'import_running' })
  }
  expect(await files()).toHaveLength(1)
})

test('a source must be an upload of this process or an address of a database, and the reason names its field', async () => {
  const unknown = { from: 'upload', upload: '0'.repeat(32) }
  expect(await start({ source: unknown, mode: 'check' })).toMatchObject({
    code: 'upload_gone',
    message: expect.stringContaining('another replica'),
  })
  for (const source of [
    { from: 'upload', upload: '../../sluice.db' },
    { from: 'address', address: 'https://example.org/one-api.db' },
    { from: 'address', address: 'file:///etc/passwd' },
    { from: 'address', address: '/etc/passwd' },
    { from: 'folder', folder: '/' },
  ]) {
    expect(await start({ source, mode: 'check' })).toMatchObject({
      code: 'invalid_body',
      message: expect.stringContaining('source'),
    })
  }
  expect(orders).toEqual([])
})

test('a stop is passed on', async () => {
  let stops = 0
  bench.importing = { ...bench.importing, stop: async () => void stops++ }
  expect(await bench.ask('POST', '/api/import/stop', { as: root })).toMatchObject({ success: true })
  expect(stops).toBe(1)
})
