import { type DeclaredConfiguration, checkDocument } from './document/check-document.ts'
import { decodeDocument, type Problems, readDocument } from './document/read-document.ts'
import type { ResolveSecret } from './document/secrets.ts'

/** Reads and checks a file by itself, with its secrets; what only the present state can tell comes with the plan. */
export async function loadDocument(
  content: Uint8Array | string,
  resolve: ResolveSecret,
): Promise<DeclaredConfiguration | Problems> {
  const text = typeof content === 'string' ? content : decodeDocument(content)
  if (typeof text !== 'string') return text
  const read = readDocument(text)
  return 'problems' in read ? read : await checkDocument(read, resolve)
}
