import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { recordOwners } from '@sluice/store/sqlite/record-log'
import { flushFile, replaceDatabase, replacingFile } from '@sluice/store/sqlite/replace-database'
import { timeText } from '../backup/backup-names.ts'
import { type BackupSource, bringBackup, openBackup } from '../backup/bring-backup.ts'
import { checkBackup, type CheckedBackup, damageText } from '../backup/check-backup.ts'
import type { Config } from '../config.ts'
import { lockTarget, readGivenVault, StartProblem } from '../configured.ts'

export interface RestoreFlags {
  /** Only says what would happen; a gateway may run meanwhile. */
  readonly check?: true
  /** Leaves the record log for the next start. */
  readonly keepRecordedCharges?: true
  /** Ids of master keys that may be missing. */
  readonly withoutKeys: readonly string[]
}

const say = (line: string): void => console.log(line)

/**
 * Puts a backup in the place of the SQLite database. Everything is checked on a copy beside it first; then the present files are
 * moved away as a set, and the copy gets their name. Returns the exit code.
 */
export async function restore(config: Config, from: string, flags: RestoreFlags): Promise<number> {
  await using opened = new AsyncDisposableStack()
  const { file, isRunning } = await lock(config, flags, opened)
  const source = await openBackup(config, from, Date.now)
  opened.defer(() => source.close())
  const copy = `${file}.restoring${flags.check === true ? `-${process.pid}` : ''}`
  // Once it is decided, the copy is what the next start puts in place.
  opened.defer(async () => {
    if (!existsSync(replacingFile(file))) await removeCopy(copy)
  })
  await removeCopy(copy)
  const checked = await check(config, source, copy, flags.withoutKeys)
  if (flags.keepRecordedCharges === true) expectSameRecords(file, checked.contents.database)
  if (flags.check === true) {
    sayNext(config, checked, flags)
    say(isRunning ? `A gateway works on ${file}: stop it before the restore.` : 'Nothing was changed.')
    return 0
  }
  await flushFile(copy)
  const kept = `${file}.replaced-${timeText(Date.now())}`
  const hadOne = existsSync(file)
  await replaceDatabase({ file, next: copy, kept, leavesRecords: flags.keepRecordedCharges === true })
  say(`\n${source.words} is now ${file}.`)
  if (hadOne) say(`What was there is kept as ${kept} and the files whose names begin with it.`)
  sayNext(config, checked, flags)
  return 0
}

/** Nobody else works on the target until the command ends; a check is content to know. */
async function lock(
  config: Config,
  { check: isCheck }: RestoreFlags,
  opened: AsyncDisposableStack,
): Promise<{ readonly file: string; readonly isRunning: boolean }> {
  const taken = await lockTarget(config, isCheck === true ? 'look' : 'wait', say)
  if (taken.release !== undefined) opened.defer(taken.release)
  return { file: taken.file, isRunning: taken.release === undefined }
}

async function check(
  config: Config,
  source: BackupSource,
  copy: string,
  withoutKeys: readonly string[],
): Promise<CheckedBackup> {
  const { manifest } = source
  say(
    manifest === undefined
      ? `${source.words} has no manifest, so it cannot be compared with what was written.`
      : `${source.words}, made ${manifest.made} by version ${manifest.program}.`,
  )
  try {
    await bringBackup(source, copy)
    if (manifest !== undefined) say('Its SHA-256 is that of its manifest.')
    const { vault, from: keysFrom } = await readGivenVault(config)
    const lostKeys = [...config.lostKeys, ...withoutKeys]
    return await checkBackup(copy, `${copy}-migrated`, {
      manifest,
      vault,
      keysFrom,
      lostKeys,
      tell: say,
      now: Date.now,
    })
  } catch (error) {
    const damage = damageText(error)
    throw damage === undefined ? error : new StartProblem(`${source.words} is damaged: ${damage}.`)
  }
}

function expectSameRecords(file: string, database: string): void {
  const owners = recordOwners(file)
  if (owners.length === 0) throw new StartProblem(`There are no recorded charges next to ${file}.`)
  if (owners.every((owner) => owner === database)) return
  throw new StartProblem(
    `The recorded charges next to ${file} belong to another database than the backup: restore without --keep-recorded-charges.`,
  )
}

function sayNext(config: Config, { pending, contents }: CheckedBackup, flags: RestoreFlags): void {
  const steps = [
    ...(pending > 0 ? [`brings it up to date (${pending} ${pending === 1 ? 'step' : 'steps'})`] : []),
    flags.keepRecordedCharges === true
      ? 'charges what the record log has and the backup lacks'
      : 'continues with exactly the state of the backup',
  ]
  say(`The next start ${steps.join(', then ')}.`)
  const lost = flags.withoutKeys.filter((key) => contents.keys.includes(key) && !config.lostKeys.includes(key))
  if (lost.length > 0) say(`Start it with SLUICE_LOST_KEYS=${[...config.lostKeys, ...lost].join(',')}.`)
}

async function removeCopy(copy: string): Promise<void> {
  const names = [copy, `${copy}-migrated`].flatMap((name) => [name, `${name}-wal`, `${name}-shm`])
  for (const name of names) await rm(name, { force: true })
}
