import { type BackupSource, bringBackup } from '../backup/bring-backup.ts'
import { checkBackup, type CheckedBackup, damageText } from '../backup/check-backup.ts'
import { readGivenVault, StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'

export interface RestoreFlags {
  /** Only reports what would happen; a gateway may be running. */
  readonly check?: true
  /** Ids of master keys that may be missing. */
  readonly withoutKeys: readonly string[]
}

export const say = (line: string): void => console.log(line)

/** Fetches a backup into a local file, prints its description, and checks it. Rejects with the first `StartProblem`. */
export async function bringChecked(
  config: Config,
  source: BackupSource,
  copy: string,
  withoutKeys: readonly string[],
): Promise<CheckedBackup> {
  const { manifest } = source
  say(
    manifest === undefined
      ? `${source.words} has no manifest, so it cannot be checked against what was originally written.`
      : `${source.words}, made ${manifest.made} by version ${manifest.program}.`,
  )
  try {
    await bringBackup(source, copy)
    if (manifest !== undefined) say('Its SHA-256 matches its manifest.')
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

/** Names what the next start needs if master keys may be missing. */
export function sayLostKeys(config: Config, keys: readonly string[], flags: RestoreFlags): void {
  const lost = flags.withoutKeys.filter((key) => keys.includes(key) && !config.lostKeys.includes(key))
  if (lost.length > 0) say(`Start it with SLUICE_LOST_KEYS=${[...config.lostKeys, ...lost].join(',')}.`)
}
