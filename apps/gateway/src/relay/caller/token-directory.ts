import { hash } from 'node:crypto'
import type { BlockList } from 'node:net'
import { type QuietHours, readQuietHours } from '@sluice/store/options/quiet-hours'
import type { TokenSnapshot } from '@sluice/store/snapshots/tokens'
import { rangeList } from '../../edge/address-range.ts'
import type { OwnKeys } from '../stages/identity.ts'
import { type OpenOwnKey, ownKeysOf } from './own-keys.ts'

/** A token, with the parsed values that its rules need. */
export interface KnownToken {
  readonly snapshot: TokenSnapshot
  /** Undefined: all addresses. */
  readonly subnet: BlockList | undefined
  readonly quiet?: QuietHours | undefined
  /** The user's own provider keys, decrypted; undefined: none. */
  readonly ownKeys?: OwnKeys | undefined
  /** Undefined: every model of the group. */
  readonly models: ReadonlySet<string> | undefined
}

/** `overloaded`: too many look-ups are in progress. `unavailable`: the database did not answer. */
export type TokenLookup = KnownToken | 'absent' | 'overloaded' | 'unavailable'

/**
 * Looks up the token and user of an API key. Cached by the full SHA-256 of the key, so two keys never share an entry (class S9);
 * both hits and misses are bounded, so guessed keys cost neither memory nor a query each.
 */
export interface TokenDirectory {
  digest(key: string): string
  cached(digest: string): KnownToken | 'absent' | undefined
  /** Reads the database and refreshes the cache. Equal look-ups at the same time share one query. */
  load(digest: string): Promise<TokenLookup>
  /** Forgets everything: rows of tokens or users have changed. */
  clear(): void
}

export interface TokenDirectoryDeps {
  readonly find: (keyHash: string) => Promise<TokenSnapshot | undefined>
  readonly openOwnKey: OpenOwnKey
  readonly onError: (error: unknown) => void
  readonly limits?: { readonly known: number; readonly absent: number; readonly pending: number }
}

const LIMITS = { known: 20_000, absent: 10_000, pending: 512 }

export function createTokenDirectory({
  find,
  openOwnKey,
  onError,
  limits = LIMITS,
}: TokenDirectoryDeps): TokenDirectory {
  const known = new Map<string, KnownToken>()
  const absent = new Set<string>()
  const pending = new Map<string, Promise<TokenLookup>>()
  /** Incremented by `clear`: what was read before it must not be cached after it. */
  let generation = 0

  const read = async (digest: string): Promise<TokenLookup> => {
    const began = generation
    try {
      const snapshot = await find(digest)
      const entry = snapshot === undefined ? undefined : knownToken(snapshot, openOwnKey)
      if (began === generation) remember(digest, entry)
      return entry ?? 'absent'
    } catch (error) {
      onError(error)
      return 'unavailable'
    }
  }

  const remember = (digest: string, entry: KnownToken | undefined) => {
    known.delete(digest)
    absent.delete(digest)
    if (entry === undefined) {
      dropOldest(absent, limits.absent)
      absent.add(digest)
    } else {
      dropOldest(known, limits.known)
      known.set(digest, entry)
    }
  }

  return {
    digest: (key) => hash('sha256', key, 'hex'),
    cached: (digest) => known.get(digest) ?? (absent.has(digest) ? 'absent' : undefined),
    load: (digest) => {
      const running = pending.get(digest)
      if (running !== undefined) return running
      if (pending.size >= limits.pending) return Promise.resolve('overloaded')
      const lookup = read(digest).finally(() => {
        if (pending.get(digest) === lookup) pending.delete(digest)
      })
      pending.set(digest, lookup)
      return lookup
    },
    clear: () => {
      generation++
      known.clear()
      absent.clear()
      pending.clear()
    },
  }
}

function dropOldest(entries: Map<string, unknown> | Set<string>, limit: number): void {
  if (entries.size < limit) return
  for (const oldest of entries.keys()) {
    entries.delete(oldest)
    return
  }
}

function knownToken(snapshot: TokenSnapshot, openOwnKey: OpenOwnKey): KnownToken {
  const { models, subnet, guard } = snapshot.token
  const quiet = guard.quietHours === null ? undefined : readQuietHours(guard.quietHours)
  return {
    snapshot,
    subnet: subnet.length === 0 ? undefined : rangeList(subnet),
    quiet: quiet === undefined || 'problem' in quiet ? undefined : quiet,
    ownKeys: ownKeysOf(snapshot, openOwnKey),
    models: models.length === 0 ? undefined : new Set(models),
  }
}
