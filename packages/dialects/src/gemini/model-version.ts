/** 2.5 for `gemini-2.5-flash`; names without a number count as the latest. */
export function generationOf(model: string): number {
  const found = /gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1]
  return found === undefined ? Number.POSITIVE_INFINITY : Number(found)
}

/**
 * Since its third generation, Gemini refuses an unsigned call in the current turn, accepts pictures inside tool results, and
 * accepts its own tools together with functions.
 */
export function isThirdGeneration(model: string): boolean {
  return generationOf(model) >= 3
}

/** If false, instructions are sent in the user's first turn. */
export function hasSystemInstruction(model: string): boolean {
  return !/^(?:models\/)?gemma-|-image\b/.test(model)
}
