import { estimatePercent, tokenizerFor } from '@sluice/providers/tokenizers'
import { cutRuns } from './cut-runs.ts'
import { promptParts } from './prompt-parts.ts'

export interface CountJob {
  /** The provider's name of the model, which determines the tokenizer. */
  readonly model: string
  /** The request body, or the number of its prompt bytes when it is too large to be counted. */
  readonly prompt: Uint8Array | number
  readonly text: string
  /** Bytes that were delivered but whose text was not kept. */
  readonly beyondBytes: number
}

export interface Counted {
  readonly prompt: number
  readonly output: number
}

/** Ordinary prose; the fallback if exact counting is not worth it. */
const BYTES_PER_TOKEN = 3.8
/** Providers rewrite tool definitions into something shorter than their JSON. */
const TOOL_SHARE = 0.8

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}

export type Encoder = (text: string) => number

/** Counts with the model's tokenizer; `encoders` loads an encoder by name. */
export async function count(job: CountJob, encoders: (name: string) => Promise<Encoder>): Promise<Counted> {
  const choice = tokenizerFor(job.model)
  const encode = await encoders(choice.encoding)
  const tokens = (text: string): number => {
    let sum = 0
    for (const piece of cutRuns(text)) sum += encode(piece)
    return Math.ceil((sum * estimatePercent(choice, text)) / 100)
  }
  const output = tokens(job.text) + estimateTokens(job.beyondBytes)
  if (typeof job.prompt === 'number') return { prompt: estimateTokens(job.prompt), output }
  const { texts, tools, extra } = promptParts(JSON.parse(new TextDecoder().decode(job.prompt)))
  return { prompt: tokens(texts.join('\n')) + Math.ceil(tokens(tools) * TOOL_SHARE) + extra, output }
}
