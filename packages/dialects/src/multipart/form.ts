import type { Span } from '../splice/scan.ts'

export interface FormPart {
  readonly name: string
  /** It was sent with a file name. */
  readonly isFile: boolean
  /** The content, without the blank line before and the line end after it. */
  readonly content: Span
}

export interface FormFault {
  readonly fault: string
}

/** Forms in this dialect have about ten parts. */
const PARTS_LIMIT = 64
const HEAD_LIMIT = 2_048
const CR = 0x0d
const DASH = 0x2d

/** Undefined if the content type is not `multipart/form-data` (RFC 7578, RFC 2046). */
export function formBoundary(contentType: string | undefined): string | undefined {
  const match =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([ !#-[\]-~]{1,70})"|([!#-:<-~]{1,70}))(?=\s*(?:;|$))/i.exec(
      contentType ?? '',
    )
  return match?.[1] ?? match?.[2]
}

/** Contains only the boundary, without other parameters from the client. */
export function formType(boundary: string): string {
  return `multipart/form-data; boundary=${/^[\w'+.-]+$/.test(boundary) ? boundary : `"${boundary}"`}`
}

/**
 * Finds the parts of a whole form, without copying any content. Strict wherever readers could disagree about a form: lines end in
 * CRLF, the form starts with its boundary and ends with the closing one, no boundary follows a bare line break, nothing is encoded,
 * names are letters, digits and `_.-[]`.
 */
export function scanForm(body: Uint8Array, boundary: string): readonly FormPart[] | FormFault {
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`)
  if (!startsWith(body, delimiter.subarray(2), 0)) return { fault: 'it does not start with its boundary' }
  const parts: FormPart[] = []
  let at = delimiter.length - 2
  while (!(body[at] === DASH && body[at + 1] === DASH)) {
    if (parts.length === PARTS_LIMIT) return { fault: `it has more than ${PARTS_LIMIT} parts` }
    if (!isLineEnd(body, at)) return { fault: `unexpected byte after a boundary at byte ${at}` }
    const headEnd = endOfHead(body, at)
    if (headEnd < 0) return { fault: 'the headers of a part do not end' }
    const content = { start: headEnd + 4, end: find(body, delimiter, headEnd + 2) }
    if (content.end === MISSING) return { fault: 'its closing boundary is missing' }
    if (content.end === BARE) return { fault: 'a boundary follows a line break that is not CRLF' }
    const named = readHead(new TextDecoder().decode(body.subarray(at + 2, headEnd)))
    if ('fault' in named) return named
    parts.push({ ...named, content: { start: Math.min(content.start, content.end), end: content.end } })
    at = content.end + delimiter.length
  }
  for (let i = at + 2; i < body.length; i++) {
    if (!SPACES.includes(body[i])) return { fault: `unexpected byte after its end at byte ${i}` }
  }
  return parts
}

const SPACES: readonly (number | undefined)[] = [0x20, 0x09, CR, 0x0a]

export function formText(body: Uint8Array, { content }: FormPart): string {
  return new TextDecoder().decode(body.subarray(content.start, content.end))
}

/** The name comes first, then at most the file name. Clients on .NET omit the quotes; plain letters read the same either way. */
const DISPOSITION =
  /^content-disposition\s*:\s*form-data\s*;\s*name=(?:"([\w.[\]-]{1,200})"|([\w.[\]-]{1,200}))\s*((?:;\s*filename\*?=(?:"(?:[^"\\]|\\.)*"|[^\s;"]+)\s*)*)$/i

/** The ways to state that a part is not encoded. */
const PLAIN_TRANSFER = /^content-transfer-encoding\s*:\s*(?:7bit|8bit|binary)\s*$/i
/** Charsets in which ASCII is written as ASCII. */
const ASCII_CHARSET = /^"?(?:utf-?8|(?:us-)?ascii|iso-8859-\d+|windows-125\d)"?$/i

function readHead(head: string): Pick<FormPart, 'name' | 'isFile'> | FormFault {
  const lines = head.split('\r\n')
  if (lines.some((line) => /^[ \t]|[\r\n\0]/.test(line))) return { fault: 'a part has a folded or invalid header' }
  const isEncoded = lines.some((line) => /^content-transfer-encoding\s*:/i.test(line) && !PLAIN_TRANSFER.test(line))
  if (isEncoded) return { fault: 'a part has an unsupported Content-Transfer-Encoding' }
  const charsets = lines.filter((line) => /^content-type\s*:/i.test(line)).flatMap(charsetsOf)
  if (!charsets.every((charset) => ASCII_CHARSET.test(charset)))
    return { fault: 'a part has a charset other than UTF-8' }
  const [line, ...others] = lines.filter((text) => /^content-disposition\s*:/i.test(text))
  if (others.length > 0) return { fault: 'a part has more than one Content-Disposition' }
  const [, quoted, plain, file] = DISPOSITION.exec(line ?? '') ?? []
  const name = quoted ?? plain
  if (name === undefined) return { fault: 'a part has no valid name' }
  // The value of such a field would be the charset of all other fields.
  return name.toLowerCase() === '_charset_' ? { fault: 'it has a _charset_ field' } : { name, isFile: file !== '' }
}

/** All charsets that a content type names, because readers differ in which one they use; '' for one that is not written plainly. */
function charsetsOf(contentType: string): readonly string[] {
  const [, ...parameters] = contentType.split(';')
  return parameters.flatMap((parameter) => {
    const [name = '', ...value] = parameter.split('=')
    if (!/^\s*charset/i.test(name)) return []
    return [/^\s*charset\s*$/i.test(name) ? value.join('=').trim() : '']
  })
}

/** Index of the blank line that ends the head, or -1. A head without lines starts with it. */
function endOfHead(body: Uint8Array, at: number): number {
  for (let i = body.indexOf(CR, at); i >= 0 && i - at <= HEAD_LIMIT; i = body.indexOf(CR, i + 1)) {
    if (isLineEnd(body, i) && isLineEnd(body, i + 2)) return i
  }
  return -1
}

function isLineEnd(body: Uint8Array, at: number): boolean {
  return body[at] === CR && body[at + 1] === 0x0a
}

const MISSING = -1
const BARE = -2

/**
 * Index of the delimiter, or `MISSING`, or `BARE` if one comes first that only lenient readers accept. Uses Horspool's search,
 * which examines few bytes, even in a file full of line ends: examining each of them would delay every other request.
 */
function find(body: Uint8Array, delimiter: Uint8Array, from: number): number {
  const dashed = delimiter.subarray(2)
  const last = dashed.length - 1
  const shifts = new Uint8Array(256).fill(dashed.length)
  for (let i = 0; i < last; i++) shifts[dashed[i] ?? 0] = last - i
  for (let end = from + 2 + last; end < body.length; end += shifts[body[end] ?? 0] ?? 1) {
    const start = end - last
    if (body[end] !== dashed[last] || !startsWith(body, dashed, start)) continue
    if (isLineEnd(body, start - 2)) return start - 2
    if (body[start - 1] === CR || body[start - 1] === 0x0a) return BARE
  }
  return MISSING
}

function startsWith(body: Uint8Array, word: Uint8Array, at: number): boolean {
  for (let i = 0; i < word.length; i++) {
    if (body[at + i] !== word[i]) return false
  }
  return true
}
