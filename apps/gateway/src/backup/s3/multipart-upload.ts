import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { StartProblem } from '../../environment/configured.ts'
import type { S3Client } from './s3-client.ts'
import { elementsOf, escaped, textOf } from './s3-replies.ts'

const MIB = 1 << 20
/** A part is in memory while it is sent. The store allows 10,000 parts of at least 5 MiB. */
const PART_BYTES = 8 * MIB
const MAX_PARTS = 9_000
/** Uploads that another process might still be working on are left alone for this long. */
const ABANDONED_MS = 24 * 3_600_000

/** Uploads a file in parts, each with its checksum. A failure aborts the upload, so that the store keeps nothing of it. */
export async function uploadFile(client: S3Client, file: string, key: string): Promise<void> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const partBytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS / MIB) * MIB)
    if (size <= partBytes) return await putObject(client, key, await readPart(handle, 0, size))
    await uploadParts(client, key, (at) => readPart(handle, at, Math.min(partBytes, size - at)), { size, partBytes })
  } finally {
    await handle.close()
  }
}

export async function putObject(client: S3Client, key: string, body: Uint8Array): Promise<void> {
  await client.ask({ method: 'PUT', key, headers: ['x-amz-checksum-sha256', checksumOf(body)], body })
}

async function uploadParts(
  client: S3Client,
  key: string,
  read: (at: number) => Promise<Uint8Array>,
  { size, partBytes }: { readonly size: number; readonly partBytes: number },
): Promise<void> {
  const headers = ['x-amz-checksum-algorithm', 'SHA256']
  const begun = await client.ask({ method: 'POST', key, query: { uploads: '' }, headers })
  const uploadId = textOf(begun.text, 'UploadId') ?? ''
  if (uploadId === '') throw new StartProblem('The store did not start an upload: it is not compatible with S3.')
  try {
    const parts: string[] = []
    for (let at = 0; at < size; at += partBytes) {
      const body = await read(at)
      const partNumber = String(parts.length + 1)
      const sum = checksumOf(body)
      const query = { partNumber, uploadId }
      const reply = await client.ask({ method: 'PUT', key, query, headers: ['x-amz-checksum-sha256', sum], body })
      const etag = reply.headers['etag'] ?? ''
      parts.push(
        `<Part><PartNumber>${partNumber}</PartNumber><ETag>${escaped(etag)}</ETag><ChecksumSHA256>${sum}</ChecksumSHA256></Part>`,
      )
    }
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    await client.ask({ method: 'POST', key, query: { uploadId }, headers: ['content-type', 'application/xml'], body })
  } catch (error) {
    await abort(client, key, uploadId)
    throw error
  }
}

/** If this fails, a later sweep aborts the upload. */
async function abort(client: S3Client, key: string, uploadId: string): Promise<void> {
  await client.ask({ method: 'DELETE', key, query: { uploadId }, cleansUp: true }).catch(() => {})
}

/** Aborts uploads of keys with this prefix that began more than a day ago: their processes were killed. */
export async function abortAbandoned(client: S3Client, prefix: string, now: number): Promise<void> {
  const { text } = await client.ask({ method: 'GET', key: '', query: { uploads: '', prefix } })
  for (const upload of elementsOf(text, 'Upload')) {
    const [key = '', id = '', begun = ''] = ['Key', 'UploadId', 'Initiated'].map((name) => textOf(upload, name))
    if (key.startsWith(prefix) && Date.parse(begun) < now - ABANDONED_MS) await abort(client, key, id)
  }
}

async function readPart(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const part = Buffer.alloc(length)
  for (let done = 0; done < length;) {
    const { bytesRead } = await handle.read(part, done, length - done, at + done)
    if (bytesRead === 0) throw new Error('the file shrank while it was being uploaded')
    done += bytesRead
  }
  return part
}

function checksumOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64')
}
