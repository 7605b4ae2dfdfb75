import type { TokenCounts } from '../token-counts.ts'

/** Normalises one OpenAI-style usage object; undefined when it is absent, all zero, incomplete or not believable. */
export declare function readUsage(usage: unknown): TokenCounts | undefined

/** Finds the usage of a parsed reply or chunk: `usage`, then `choices[0].usage`, then `x_groq.usage`. */
export declare function usageOf(reply: unknown): TokenCounts | undefined
