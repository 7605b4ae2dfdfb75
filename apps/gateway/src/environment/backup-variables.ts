import * as v from 'valibot'
import { isS3, readS3Address } from '../backup/s3-address.ts'
import { integer, retention, variable } from './variable.ts'

/** Not options, because whoever sets the environment owns the machine. */
export const BACKUP_VARIABLES = {
  backupTo: variable({
    name: 'SLUICE_BACKUP_TO',
    schema: v.pipe(
      v.string(),
      v.check(
        (text) => !isS3(text) || readS3Address(text) !== undefined,
        'must be a folder, or a bucket as s3://bucket/prefix',
      ),
    ),
    fallback: '',
    reason:
      'Where the gateway stores its scheduled backups: a folder on another disk, or a bucket of an S3-compatible store. If ' +
      'empty, none are made. With PostgreSQL any replica may make them, so choose a place that every replica can reach.',
    example: 's3://backups/sluice',
  }),
  backupEveryMs: variable({
    name: 'SLUICE_BACKUP_EVERY',
    schema: v.pipe(
      integer(1, 8_760),
      v.transform((hours) => hours * 3_600_000),
    ),
    fallback: '24',
    reason: 'Hours between scheduled backups. A missed one is made after the next start.',
    example: '6',
  }),
  backupKeep: variable({
    name: 'SLUICE_BACKUP_KEEP',
    schema: retention,
    fallback: '7d 4w 6m',
    reason:
      'For how many days, weeks and months the newest scheduled backup of each is kept, counting only periods that have one. ' +
      'The newest of all is always kept. all: none is deleted.',
    example: '14d 8w 12m',
  }),
  backupS3Endpoint: variable({
    name: 'SLUICE_BACKUP_S3_ENDPOINT',
    schema: v.union(
      [v.literal(''), v.pipe(v.string(), v.regex(/^https?:\/\/[^\s/?#@]+$/i))],
      'must be an http(s) address without a path, name or password',
    ),
    fallback: '',
    reason: 'Address of the store for s3://. Empty: Amazon S3 in SLUICE_BACKUP_S3_REGION.',
    example: 'https://s3.internal:9000',
  }),
  backupS3Region: variable({
    name: 'SLUICE_BACKUP_S3_REGION',
    schema: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,63}$/, 'must be a region such as us-east-1')),
    fallback: 'us-east-1',
    reason: 'Region of the store for s3://; many stores other than Amazon S3 accept any value.',
    example: 'eu-central-1',
  }),
  backupS3AccessKey: variable({
    name: 'SLUICE_BACKUP_S3_ACCESS_KEY',
    schema: v.pipe(v.string(), v.regex(/^[!-~]*$/, 'must not contain spaces')),
    fallback: '',
    reason: 'Id of the access key for s3://. It must be allowed to list, read, write and delete in the bucket.',
    example: 'AKIAIOSFODNN7EXAMPLE',
    secret: true,
  }),
  backupS3SecretKey: variable({
    name: 'SLUICE_BACKUP_S3_SECRET_KEY',
    schema: v.pipe(v.string(), v.regex(/^[!-~]*$/, 'must not contain spaces')),
    fallback: '',
    reason: 'Secret for the access key of s3://.',
    example: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    secret: true,
  }),
} as const
