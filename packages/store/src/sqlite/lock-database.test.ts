import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteConnection } from './connection.ts'
import { lockDatabase } from './lock-database.ts'

let directory = ''
let file = ''
let pauses = 0
const waits: unknown[] = []

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-lock-'))
  file = join(directory, 'test.db')
  pauses = 0
  waits.length = 0
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const lock = (holder: string, waitMs = 0, pause = async () => void (pauses += 1)) =>
  lockDatabase({ file, holder, waitMs, onWait: (other) => void waits.push(other), pause })

/** Another process takes the lock and is killed; prints whether it got it. */
function takeElsewhere(): string {
  const program = `
    import { lockDatabase } from '${new URL('./lock-database.ts', import.meta.url).href}'
    const taken = await lockDatabase({ file: ${JSON.stringify(file)}, holder: 'a child', waitMs: 0, onWait() {}, async pause() {} })
    console.log('holder' in taken ? 'held by ' + taken.holder : 'taken')
    process.kill(process.pid, 'SIGKILL')`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trim()
}

describe('the lock of a database', () => {
  it('has one holder, which says who it is, and passes to the next when it is released', { tags: 'S38' }, async () => {
    const first = await lock('process 1 on here')
    expect(await lock('process 2 on here')).toEqual({ holder: 'process 1 on here' })
    expect(takeElsewhere()).toBe('held by process 1 on here')
    if (!('release' in first)) throw new Error('not taken')
    await first.release()
    const second = await lock('process 2 on here')
    expect(second).toHaveProperty('release')
    if ('release' in second) await second.release()
  })

  it('does not write through a link under the name of its owner', { tags: 'S38' }, async () => {
    const key = join(directory, 'master.key')
    await writeFile(key, 'secret')
    await symlink(key, `${file}.owner`)
    const held = await lock('process 1 on here')
    expect(await readFile(key, 'utf8')).toBe('secret')
    if ('release' in held) await held.release()
  })

  it('is free again when its holder could not be written down', async () => {
    await mkdir(`${file}.owner`)
    await expect(lock('process 1 on here')).rejects.toThrow()
    await rm(`${file}.owner`, { recursive: true })
    expect(takeElsewhere()).toBe('taken')
  })

  it('is free again when its holder was killed', async () => {
    expect(takeElsewhere()).toBe('taken')
    expect(takeElsewhere()).toBe('taken')
  })

  it('is waited for as long as requested, and says once that it waits', async () => {
    const first = await lock('the first')
    expect(await lock('the second', 500)).toEqual({ holder: 'the first' })
    expect([pauses, waits]).toEqual([5, [{ holder: 'the first' }]])
    const second = await lock('the second', 500, async () => {
      if ('release' in first) await first.release()
    })
    expect(second).toHaveProperty('release')
    if ('release' in second) await second.release()
  })

  it('lets everyone else use the database, and is readable by its owner only', async () => {
    const held = await lock('the gateway')
    const connection = openSqliteConnection(file)
    connection.exec('create table t (x); insert into t values (1)')
    connection.close()
    expect((await readdir(directory)).toSorted()).toEqual(['test.db', 'test.db.lock', 'test.db.owner'])
    for (const name of ['test.db.lock', 'test.db.owner'])
      expect((await stat(join(directory, name))).mode & 0o077).toBe(0)
    if ('release' in held) await held.release()
  })
})
