import { hash } from 'node:crypto'
import type { SeenRequest } from './recording-proxy.ts'

/** The requests of one loop as an agent sent them, with placeholders for values of a machine and for vendors' prose. */
export interface RecordedLoop {
  readonly program: string
  readonly version: string
  readonly card: string
  /** The model that the requests name, in the body or in the path. */
  readonly model: string
  readonly requests: readonly RecordedRequest[]
}

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Messages after an upgrade to a websocket. */
  readonly frames?: readonly unknown[]
}

export const PLACEHOLDERS = { key: 'sk-key-of-the-card', folder: '/home/agent', host: 'gateway.test' } as const

export interface OfTheMachine {
  readonly key: string
  readonly folder: string
  /** `127.0.0.1:<port>` */
  readonly host: string
}

/** Longer texts are a vendor's prose, recorded as their length and the beginning of their SHA-256. */
const TEXT_MAX = 36
/** Texts that belong to the protocol, whatever their length. */
const KEPT = new Set(
  (
    '$schema pattern model id previous_response_id call_id tool_use_id tool_call_id prompt_cache_key ' +
    'signature encrypted_content thoughtSignature arguments command commands cmd'
  ).split(' '),
)
const PROSE = new Set(['description', 'title', 'instructions'])
/** Headers of the connection, not of the program. */
const DROPPED =
  /^(?:host|connection|content-length|accept-encoding|transfer-encoding|upgrade|sec-websocket-(?:key|version|extensions))$/
const SHORTENED = /^\[\d+ characters, sha256 /
const TASK = /\(write [^)]*\)/

/** Ids are numbered in order of appearance, and keep their form. */
const IDS =
  /(?<![0-9A-Za-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{64}\b|\b(ses|msg|prj|sess)_[0-9A-Za-z]{16,}\b/g

export function recordRequests(seen: readonly SeenRequest[], machine: OfTheMachine): readonly RecordedRequest[] {
  const ids = new Map<string, string>()
  const plain = (text: string): string =>
    text
      .replaceAll(machine.key, PLACEHOLDERS.key)
      .replaceAll(machine.folder, PLACEHOLDERS.folder)
      .replaceAll(machine.host, PLACEHOLDERS.host)
      .replace(IDS, (id) => ids.get(id) ?? numbered(ids, id))
  return seen.map(({ method, path, headers, body, frames }) => ({
    method,
    path: plain(path),
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        typeof value === 'string' && !DROPPED.test(name) ? [[name, plain(value)]] : [],
      ),
    ),
    ...(body !== '' && { body: structure(JSON.parse(plain(body)), '') }),
    ...(frames && { frames: frames.map((frame) => structure(JSON.parse(plain(frame)), '')) }),
  }))
}

function numbered(ids: Map<string, string>, id: string): string {
  const number = String(ids.size + 1)
  const [prefix] = /^[a-z]+_/.exec(id) ?? ['']
  const shown =
    prefix +
    id
      .slice(prefix.length)
      .replaceAll(/[0-9A-Za-z]/g, '0')
      .slice(0, -number.length) +
    number
  ids.set(id, shown)
  return shown
}

function structure(value: unknown, name: string): unknown {
  if (typeof value === 'string') return isProse(value, name) ? shortened(value) : value
  if (Array.isArray(value)) return value.map((each: unknown) => structure(each, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, structure(member, key)]))
}

function isProse(text: string, name: string): boolean {
  if (KEPT.has(name) || SHORTENED.test(text) || (text.startsWith('{') && text.endsWith('}') && isJson(text)))
    return false
  return text.length > TEXT_MAX || PROSE.has(name)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The task stays, because the emulator acts on it. */
function shortened(text: string): string {
  const [task] = TASK.exec(text) ?? []
  const told = `[${text.length} characters, sha256 ${hash('sha256', text).slice(0, 12)}]`
  return task === undefined ? told : `${told} ${task}`
}
