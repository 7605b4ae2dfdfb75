import { setTimeout as delay } from 'node:timers/promises'
import { StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import type { BackupPlace } from './backup-place.ts'
import { openFolderPlace } from './folder-place.ts'
import { isS3, readS3Address } from './s3-address.ts'
import { openS3Place } from './s3/s3-place.ts'

/** Rejects when `SLUICE_BACKUP_TO` is not set or incomplete. */
export async function openConfiguredPlace(config: Config, now: () => number, stop: AbortSignal): Promise<BackupPlace> {
  if (config.backupTo === '') throw new StartProblem('SLUICE_BACKUP_TO is not set, so there is no place for backups.')
  return await openPlace(config, config.backupTo, now, stop)
}

/** The folder or bucket that the text names. Calls to a store end when `stop` aborts. */
export async function openPlace(
  config: Config,
  text: string,
  now: () => number,
  stop: AbortSignal,
): Promise<BackupPlace> {
  const problem = placeProblem(config, text)
  if (problem !== undefined) throw new StartProblem(problem)
  const address = isS3(text) ? readS3Address(text) : undefined
  if (address === undefined) return await openFolderPlace(text)
  const region = config.backupS3Region
  const access = {
    endpoint: config.backupS3Endpoint === '' ? `https://s3.${region}.amazonaws.com` : config.backupS3Endpoint,
    region,
    bucket: address.bucket,
    accessKey: config.backupS3AccessKey,
    secretKey: config.backupS3SecretKey,
  }
  return openS3Place(access, address.prefix, { now, stop, pause: delay })
}

/** A sentence about settings that the configuration lacks for this place. */
export function placeProblem(config: Config, text: string): string | undefined {
  if (!isS3(text)) return undefined
  if (readS3Address(text) === undefined) return `${text} is not an address like s3://bucket/prefix.`
  const missing = [
    ...(config.backupS3AccessKey === '' ? ['SLUICE_BACKUP_S3_ACCESS_KEY'] : []),
    ...(config.backupS3SecretKey === '' ? ['SLUICE_BACKUP_S3_SECRET_KEY'] : []),
  ]
  return missing.length === 0 ? undefined : `Backups in ${text} need ${missing.join(' and ')}.`
}
