import { StartProblem } from '../../environment/configured.ts'
import type { BackupPlace, StoredFile } from '../backup-place.ts'
import { abortAbandoned, putObject, uploadFile } from './multipart-upload.ts'
import { openS3Client, type S3Access, S3Refusal, type S3Running } from './s3-client.ts'
import { elementsOf, textOf } from './s3-replies.ts'

/** Pages of a list, with 1,000 files each. */
const MAX_PAGES = 100

/** A bucket, or a part of it below a prefix. `prefix` is empty or ends with a slash. */
export function openS3Place(access: S3Access, prefix: string, running: S3Running): BackupPlace {
  const client = openS3Client(access, running)
  const words = `s3://${access.bucket}/${prefix}`.replace(/\/$/, '')
  const said = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof S3Refusal ? new StartProblem(refusalText(error, access, words)) : error
    }
  }
  const list = async (begin: string): Promise<readonly StoredFile[]> => {
    const found: StoredFile[] = []
    let token: string | undefined
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query: Record<string, string> = { 'list-type': '2', prefix: `${prefix}${begin}` }
      if (token !== undefined) query['continuation-token'] = token
      const { text } = await client.ask({ method: 'GET', key: '', query })
      for (const entry of elementsOf(text, 'Contents')) {
        const name = textOf(entry, 'Key')?.slice(prefix.length) ?? ''
        if (name !== '' && !name.includes('/')) found.push({ name, bytes: Number(textOf(entry, 'Size') ?? 0) })
      }
      token = textOf(text, 'NextContinuationToken')
      if (textOf(text, 'IsTruncated') !== 'true' || token === undefined) return found
    }
    throw new StartProblem(`${words} has more than ${MAX_PAGES * 1_000} files: use a prefix of its own for backups.`)
  }
  return {
    words,
    workFolder: undefined,
    list: (begin) => said(() => list(begin)),
    read: async function* (name) {
      try {
        yield* client.read(`${prefix}${name}`)
      } catch (error) {
        throw error instanceof S3Refusal ? new StartProblem(refusalText(error, access, `${words}/${name}`)) : error
      }
    },
    store: (local, name) => said(() => uploadFile(client, local, `${prefix}${name}`)),
    storeText: (name, text) => said(() => putObject(client, `${prefix}${name}`, Buffer.from(text))),
    remove: (name) =>
      said(async () => void (await client.ask({ method: 'DELETE', key: `${prefix}${name}`, cleansUp: true }))),
    sweep: (begin) => said(() => abortAbandoned(client, `${prefix}${begin}`, running.now())),
    close: () => client.close(),
  }
}

function refusalText(
  { status, code, message }: S3Refusal,
  { endpoint, region, bucket }: S3Access,
  what: string,
): string {
  switch (code) {
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
    case 'AuthorizationHeaderMalformed':
      return `The store at ${endpoint} does not accept the access key (${code}): check SLUICE_BACKUP_S3_ACCESS_KEY, SLUICE_BACKUP_S3_SECRET_KEY and SLUICE_BACKUP_S3_REGION=${region}.`
    case 'AccessDenied':
      return `The store at ${endpoint} does not grant this access key the permissions that it needs in ${what}: list, read, write and delete.`
    case 'NoSuchBucket':
      return `The store at ${endpoint} has no bucket ${bucket}.`
    case 'NoSuchKey':
      return `There is no ${what}.`
    case 'RequestTimeTooSkewed':
      return `The store at ${endpoint} says that this machine’s clock is wrong.`
    default:
      return status >= 300 && status < 400
        ? `The store at ${endpoint} redirects (${message}): check SLUICE_BACKUP_S3_ENDPOINT and SLUICE_BACKUP_S3_REGION=${region}.`
        : `The store at ${endpoint} refused ${what}: ${message}.`
  }
}
