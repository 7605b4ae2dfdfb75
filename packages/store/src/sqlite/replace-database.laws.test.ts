import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Disk, DISK, finishReplacement, replaceDatabase, replacingFile } from './replace-database.ts'

let folder = ''
let file = ''
let next = ''
let kept = ''

function place(): void {
  file = join(folder, 'sluice.db')
  next = join(folder, 'sluice.db.restoring')
  kept = join(folder, 'sluice.db.replaced-1')
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-replace-'))
  place()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Suffixes of a database's files; `-shm` has nothing that is not in the other files. */
const PARTS = ['', '-wal', '.records-0', '.records-1']
type Part = (typeof PARTS)[number]

/** The files that a start would use, by part. */
function setAt(name: string): Readonly<Record<string, string>> {
  const parts = PARTS.filter((part) => readdirSync(folder).includes(`${name}${part}`))
  return Object.fromEntries(parts.map((part) => [part, readFileSync(join(folder, `${name}${part}`), 'utf8')]))
}

const old = (parts: readonly Part[]) => Object.fromEntries(parts.map((part) => [part, `old${part}`]))

function begin(parts: readonly Part[]): void {
  rmSync(folder, { recursive: true, force: true })
  folder = mkdtempSync(join(tmpdir(), 'sluice-replace-'))
  place()
  for (const part of parts) writeFileSync(`${file}${part}`, `old${part}`)
  writeFileSync(next, 'new')
}

class Killed extends Error {}

/** The disk of a process that dies at call number `at`: before it, in the middle of a write, or right after it. */
function dyingDisk(at: number, when: 'before' | 'within' | 'after'): Disk {
  let calls = 0
  const call = async (work: () => Promise<void>, within?: () => void): Promise<void> => {
    calls += 1
    if (calls !== at) return await work()
    if (when === 'within') within?.()
    if (when === 'after') await work()
    throw new Killed()
  }
  return {
    exists: (path) => DISK.exists(path),
    move: (from, to) => call(() => DISK.move(from, to)),
    write: (path, text) =>
      call(
        () => DISK.write(path, text),
        () => writeFileSync(`${path}.partial`, text.slice(0, 5)),
      ),
    remove: (path) => call(() => DISK.remove(path)),
  }
}

async function dies(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return false
  } catch (error) {
    if (error instanceof Killed) return true
    throw error
  }
}

const replace = (disk?: Disk) => replaceDatabase({ file, next, kept }, disk)

/** Everything that must hold once a start has finished the replacement. */
function expectOneSet(parts: readonly Part[]): void {
  const isNew = !readdirSync(folder).includes('sluice.db.restoring')
  expect(setAt('sluice.db')).toEqual(isNew ? { '': 'new' } : old(parts))
  expect(setAt('sluice.db.replaced-1')).toEqual(isNew ? old(parts) : {})
  expect(readdirSync(folder)).not.toContain('sluice.db.replacing')
}

describe('a database that takes the place of another', () => {
  it('leaves, wherever its process dies and however often, the whole old set or the whole new one', async () => {
    const when = fc.constantFrom('before', 'within', 'after')
    const death = fc.record({ at: fc.integer({ min: 1, max: 9 }), when })
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(PARTS),
        fc.array(death, { minLength: 1, maxLength: 4 }),
        async (parts, [first, ...later]) => {
          begin(parts)
          const disk = first === undefined ? DISK : dyingDisk(first.at, first.when)
          await dies(replace(disk))
          for (const { at, when: moment } of later) await dies(finishReplacement(file, dyingDisk(at, moment)))
          await finishReplacement(file)
          expectOneSet(parts)
        },
      ),
      { numRuns: 120 },
    )
  })

  it('is the old one until the decision is written, and the new one from then on', async () => {
    const outcomes: string[] = []
    for (let at = 1; ; at += 1) {
      begin(PARTS)
      const died = await dies(replace(dyingDisk(at, 'before')))
      await finishReplacement(file)
      outcomes.push(readFileSync(file, 'utf8'))
      if (!died) break
    }
    expect(outcomes.length).toBeGreaterThan(5)
    expect(outcomes).toEqual(['old', ...outcomes.slice(1).map(() => 'new')])
  })

  it('leaves the record log to the next start where the version before had decided so, and was interrupted', async () => {
    begin(PARTS)
    const decision = { next: 'sluice.db.restoring', kept: 'sluice.db.replaced-1', leavesRecords: true }
    writeFileSync(replacingFile(file), JSON.stringify(decision))
    expect(await finishReplacement(file)).toEqual({ kept })
    expect(setAt('sluice.db')).toEqual({ '': 'new', ...old(['.records-0', '.records-1']) })
    expect(setAt('sluice.db.replaced-1')).toEqual(old(['', '-wal']))
  })

  it('reports where the replaced files are, once', async () => {
    begin(PARTS)
    await dies(replace(dyingDisk(3, 'before')))
    expect(readdirSync(folder)).toContain('sluice.db.replacing')
    expect(replacingFile(file)).toBe(join(folder, 'sluice.db.replacing'))
    expect(await finishReplacement(file)).toEqual({ kept })
    expect(await finishReplacement(file)).toBeUndefined()
  })

  it('is reported as gone when somebody has deleted it, and nothing is decided about the rest', async () => {
    begin([''])
    // By then the current database has been moved.
    await dies(replace(dyingDisk(3, 'before')))
    rmSync(next)
    expect(await finishReplacement(file)).toEqual({ kept, gone: next })
    expect(await finishReplacement(file)).toEqual({ kept, gone: next })
    expect(readFileSync(kept, 'utf8')).toBe('old')
  })

  it('never overwrites a file that has one of the names by now', async () => {
    begin(['', '.records-0'])
    writeFileSync(kept, 'of somebody else')
    await replace()
    expect([readFileSync(kept, 'utf8'), readFileSync(`${kept}.2`, 'utf8')]).toEqual(['of somebody else', 'old'])
  })

  it('is refused while it still has a write-ahead log of its own, which would be lost', async () => {
    begin([''])
    writeFileSync(`${next}-wal`, 'commits')
    await expect(replace()).rejects.toThrow('must be closed')
    expect(readFileSync(file, 'utf8')).toBe('old')
  })
})

describe('a link that someone has put where a file is about to be made', () => {
  it('is not followed', { tags: 'S38' }, async () => {
    const key = join(folder, 'master.key')
    writeFileSync(key, 'secret')
    const made = join(folder, 'manifest')
    symlinkSync(key, `${made}.partial`)
    await DISK.write(made, 'content')
    expect([readFileSync(key, 'utf8'), readFileSync(made, 'utf8'), lstatSync(made).isSymbolicLink()]).toEqual([
      'secret',
      'content',
      false,
    ])
  })
})
