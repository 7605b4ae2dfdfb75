import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type ProgramHost, SqliteError, startProgram } from './host.ts'

const directory = mkdtempSync(join(tmpdir(), 'sluice-host-'))
const hosts: ProgramHost[] = []
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A program as source text, so that each test shows what runs in the thread. */
async function start(methods: string, timeoutMs = 10_000): Promise<ProgramHost> {
  const program = new URL(
    `data:text/javascript,${encodeURIComponent(`export const open = (connection) => (${methods})`)}`,
  )
  const host = await startProgram({ file: join(directory, 'test.db'), program, timeoutMs })
  hosts.push(host)
  return host
}

const SLOW = 'with recursive c(x) as (select 1 union all select x + 1 from c limit 5000000) select count(*) as n from c'
const QUERIES = `{
  slow: () => connection.prepare('${SLOW}').get(),
  quick: () => connection.prepare('select 1 as n').get(),
  die: () => process.exit(1),
  fail: () => connection.prepare('select * from nowhere'),
}`

describe('a database program', () => {
  test('answers calls with what its methods return, bigint included', async () => {
    const host = await start('{ echo: (...args) => args, later: async (n) => n * 2n }')
    expect(await host.call('echo', [1n, 'two', { three: [3] }, new Uint8Array([4])])).toEqual([
      1n,
      'two',
      { three: [3] },
      new Uint8Array([4]),
    ])
    expect(await host.call('later', [21n])).toBe(42n)
  })

  test('runs calls in the order they were made', async () => {
    const host = await start('(() => { const seen = []; return { see: (n) => { seen.push(n); return [...seen] } } })()')
    const answers = await Promise.all([1, 2, 3].map((n) => host.call('see', [n])))
    expect(answers).toEqual([[1], [1, 2], [1, 2, 3]])
  })

  test('reports an error of SQLite with its code and goes on', async () => {
    const host = await start(QUERIES)
    await expect(host.call('fail', [])).rejects.toEqual(new SqliteError('no such table: nowhere', 1))
    await expect(host.call('missing', [])).rejects.toThrow('no method missing')
    expect(await host.call('quick', [])).toEqual({ n: 1 })
  })

  test(
    'gives up a call that takes too long, with everything behind it, and starts afresh',
    { tags: 'S7' },
    async () => {
      const host = await start(QUERIES, 100)
      const before = host.generation
      const results = await Promise.allSettled([host.call('slow', []), host.call('quick', [])])
      expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected'])
      expect(host.generation).not.toBe(before)
      expect(await host.call('quick', [])).toEqual({ n: 1 })
    },
  )

  test('rejects calls of a thread that died and serves the next one from a new thread', async () => {
    const host = await start(QUERIES)
    await expect(host.call('die', [])).rejects.toThrow('the database thread ended')
    expect(await host.call('quick', [])).toEqual({ n: 1 })
  })

  test('answers what was called before it closes, and nothing after', async () => {
    const host = await start(QUERIES)
    const [first] = await Promise.all([host.call('quick', []), host.close()])
    expect(first).toEqual({ n: 1 })
    await expect(host.call('quick', [])).rejects.toThrow('the database is closed')
  })

  test('says why a program could not be opened', async () => {
    await expect(start('connection.nothing.here')).rejects.toThrow("reading 'here'")
  })
})
