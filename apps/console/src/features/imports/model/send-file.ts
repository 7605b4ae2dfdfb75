import { uploadImport } from '@sluice/contract/routes/imports'
import { requestInit, requestUrl } from '~/lib/http/request.ts'
import type { Locale } from '~/lib/i18n/texts.ts'

export type SentFile =
  | { readonly is: 'stored'; readonly upload: string }
  /** `message` is the gateway's, if it gave one. */
  | { readonly is: 'refused'; readonly message: string; readonly status: number }
  | { readonly is: 'broken' }
  | { readonly is: 'cancelled' }

interface Sending {
  readonly locale: Locale
  readonly signal: AbortSignal
  /** Bytes that have left. */
  readonly onProgress: (bytes: number) => void
}

/** Uploads a SQLite file as it is. By XMLHttpRequest, because `fetch` does not say how much of a body has been sent. Never rejects. */
export function sendFile(file: File, { locale, signal, onProgress }: Sending): Promise<SentFile> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open(uploadImport.method, requestUrl(uploadImport, { query: { name: file.name.slice(0, 100) } }, 0))
    for (const [name, value] of new Headers(requestInit(uploadImport, {}, locale).headers)) {
      request.setRequestHeader(name, value)
    }
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => resolve(replyOf(request)))
    request.addEventListener('error', () => resolve({ is: 'broken' }))
    request.addEventListener('abort', () => resolve({ is: 'cancelled' }))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

function replyOf({ status, responseText }: XMLHttpRequest): SentFile {
  let reply: { readonly data?: { readonly upload?: unknown } | null; readonly message?: unknown } = {}
  try {
    reply = JSON.parse(responseText)
  } catch {
    // A page of a proxy: its status says enough.
  }
  const upload = reply.data?.upload
  if (typeof upload === 'string') return { is: 'stored', upload }
  return { is: 'refused', message: typeof reply.message === 'string' ? reply.message : '', status }
}

/** How every SQLite file begins. Looked at before gigabytes are sent for nothing. */
export async function isSqliteFile(file: Blob): Promise<boolean> {
  return (await file.slice(0, 16).text()) === 'SQLite format 3\0'
}
