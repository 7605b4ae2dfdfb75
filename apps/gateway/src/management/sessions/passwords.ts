import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type Argon2Hash, readArgon2, writeArgon2 } from '@sluice/store/argon2-hash'
import type { OnDemandThread } from '../../process/on-demand-thread.ts'
import { type BcryptJob, openBcryptThread } from './bcrypt.ts'
import { decoyHash, importedCost, isPlainForBcrypt } from './imported-hash.ts'

const argon2Async = promisify(argon2)

/** argon2id with 19 MiB, two passes, one lane: about 33 ms. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32
const DECOY_BYTES = 40
/** Hashing runs in Node's thread pool, which files and the relay's DNS share: at most two of its four threads. */
const PARALLEL = 2
/** Waiting calls (about half a second of work, two seconds for imported hashes); further ones are refused. */
const WAITING = 32

/** Hashes and checks passwords, at most two at a time. Neither rejects: `busy` asks the caller to try again later. */
export interface Passwords {
  /** In the form of `argon2-hash.ts`. */
  readonly hash: (password: string) => Promise<{ readonly hash: string } | 'busy'>
  /**
   * `stored`: a hash of ours or an imported one (`imported-hash.ts`); no password matches a hash that would cost too much to check.
   * Without `stored`, returns false after the work of a wrong password, so that unknown names take the same time.
   */
  readonly verify: (password: string, stored: string | undefined) => Promise<boolean | 'busy'>
}

/**
 * Once there has been an imported hash, a wrong password costs the work of both kinds, whatever is stored. Its time therefore does
 * not reveal whether a name belongs to an imported user who has not signed in yet, or to nobody. `thread` ends when idle.
 */
export function createPasswords(
  randomBytes: (size: number) => Uint8Array,
  thread: Pick<OnDemandThread<BcryptJob, boolean>, 'run'> = openBcryptThread(),
): Passwords {
  const turns = createTurns(PARALLEL, WAITING)
  const turnsOfThread = createTurns(1, WAITING)
  let imported: { readonly cost: number } | undefined
  const decoy = writeArgon2({ ...COST, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) })
  return {
    hash: (password) =>
      turns(async () => {
        const salt = randomBytes(SALT_BYTES)
        return {
          hash: writeArgon2({ ...COST, salt, tag: await derive(password, { ...COST, salt, tagLength: TAG_BYTES }) }),
        }
      }),
    verify: async (password, stored) => {
      const cost = importedCost(stored ?? '')
      if (cost !== undefined) imported = { cost }
      const right = await turns(async () => {
        const expected = readArgon2(stored ?? decoy) ?? readArgon2(decoy)
        if (expected === undefined) return false
        const tag = await derive(password, { ...expected, tagLength: expected.tag.byteLength })
        return timingSafeEqual(tag, expected.tag) && stored !== undefined
      })
      if (right !== false || imported === undefined) return right
      const hash = cost !== undefined && isPlainForBcrypt(password) ? stored : undefined
      const job =
        hash === undefined
          ? { password: '', hash: decoyHash(imported.cost, randomBytes(DECOY_BYTES)) }
          : { password, hash }
      const fits = await turnsOfThread(async () => (await thread.run(job)) ?? 'busy')
      return fits === true ? hash !== undefined : fits
    },
  }
}

type Derivation = Omit<Argon2Hash, 'tag'> & { readonly tagLength: number }

function derive(password: string, { memory, passes, parallelism, salt, tagLength }: Derivation): Promise<Buffer> {
  return argon2Async('argon2id', { message: password, nonce: salt, memory, passes, parallelism, tagLength })
}

/** Runs at most `parallel` tasks at once, and queues at most `waiting` more. */
function createTurns(parallel: number, waiting: number) {
  let running = 0
  const line: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T | 'busy'> => {
    if (running >= parallel) {
      if (line.length >= waiting) return 'busy'
      await new Promise<void>((resolve) => line.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
