import { existsSync } from 'node:fs'
import { flushFile, replaceDatabase, replacingFile } from '@sluice/store/sqlite/replace-database'
import { timeText } from '../backup/backup-names.ts'
import { openBackup } from '../backup/bring-backup.ts'
import type { CheckedBackup } from '../backup/check-backup.ts'
import { removeWorkingCopy, sweepWorkingCopies, workingCopy } from '../backup/working-copy.ts'
import { lockTarget, targetOf } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import { bringChecked, type RestoreFlags, say, sayLostKeys } from './bring-checked.ts'
import { restoreIntoServer } from './restore-into-server.ts'

/**
 * Replaces the SQLite database with a backup. Checks everything first on a copy beside the database; then moves the present files
 * away as a set, and the copy gets their name. A backup for PostgreSQL is copied into the database. Returns the exit code.
 */
export async function restore(config: Config, from: string, flags: RestoreFlags): Promise<number> {
  const target = targetOf(config)
  if ('url' in target) return await restoreIntoServer(config, target, from, flags)
  await using opened = new AsyncDisposableStack()
  const { file, isRunning } = await lock(config, flags, opened)
  const source = await openBackup(config, from, Date.now)
  opened.defer(() => source.close())
  const base = `${file}.restoring`
  await sweepWorkingCopies(base)
  const copy = flags.check === true ? workingCopy(base) : base
  // Once the restore is decided, the copy must stay: the next start puts it in place.
  opened.defer(async () => {
    if (!existsSync(replacingFile(file))) await removeWorkingCopy(copy)
  })
  await removeWorkingCopy(copy)
  const checked = await bringChecked(config, source, copy, flags.withoutKeys)
  if (flags.check === true) {
    sayNext(config, checked, flags)
    say(isRunning ? `A gateway is using ${file}: stop it before the restore.` : 'Nothing was changed.')
    return 0
  }
  await flushFile(copy)
  const kept = `${file}.replaced-${timeText(Date.now())}`
  const hadOne = existsSync(file)
  await replaceDatabase({ file, next: copy, kept })
  say(`\n${source.words} is now ${file}.`)
  if (hadOne) say(`The previous database is kept as ${kept} and the files whose names begin with that.`)
  sayNext(config, checked, flags)
  return 0
}

/** Keeps all others away from the target until the command ends. A mere check only looks whether somebody is using it. */
async function lock(
  config: Config,
  { check: isCheck }: RestoreFlags,
  opened: AsyncDisposableStack,
): Promise<{ readonly file: string; readonly isRunning: boolean }> {
  const taken = await lockTarget(config, isCheck === true ? 'look' : 'wait', say)
  if (taken.release !== undefined) opened.defer(taken.release)
  return { file: taken.file, isRunning: taken.release === undefined }
}

function sayNext(config: Config, { pending, contents }: CheckedBackup, flags: RestoreFlags): void {
  const steps = [
    ...(pending > 0 ? [`brings it up to date (${pending} ${pending === 1 ? 'step' : 'steps'})`] : []),
    'continues with exactly the state of the backup',
  ]
  say(`The next start ${steps.join(', then ')}.`)
  sayLostKeys(config, contents.keys, flags)
}
