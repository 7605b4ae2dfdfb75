export interface StoredTarget {
  readonly id: string
  /** What follows the id in the path: '', `/cancel` or `/input_items`. */
  readonly rest: string
  readonly methods: readonly ('GET' | 'DELETE' | 'POST')[]
}

/** Excludes two paths that look like ids: they count or shorten input, and belong to other endpoints. */
const PATH = /^\/v1\/responses\/((?!(?:input_tokens|compact)$)[\w-]{1,256})(\/cancel|\/input_items)?$/

/** `/v1/responses/{id}` and paths below it; undefined for other paths. */
export function storedTarget(path: string): StoredTarget | undefined {
  const [, id, rest = ''] = PATH.exec(path) ?? []
  if (id === undefined) return undefined
  return { id, rest, methods: rest === '' ? ['GET', 'DELETE'] : rest === '/cancel' ? ['POST'] : ['GET'] }
}

export const RAW_PREFIX = '/v1/oneapi/proxy/'

export interface RawTarget {
  readonly channel: number
  /** The path with its leading slash, byte for byte; empty if the channel's own address is called. */
  readonly path: string
}

/** Undefined if the path does not contain a channel. */
export function rawTarget(path: string): RawTarget | undefined {
  const [, id, rest = ''] = /^(\d{1,9})(\/.*)?$/.exec(path.slice(RAW_PREFIX.length)) ?? []
  return id === undefined ? undefined : { channel: Number(id), path: rest }
}
