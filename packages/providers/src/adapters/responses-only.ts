/** OpenAI's models that answer under `/v1/responses` alone. Names of deployments that say so count as well. */
const RESPONSES_ONLY =
  /^(?:o[13]-pro|gpt-[5-9](?:\.\d+)?-(?:pro|codex|cyber)|codex-|computer-use-|o\d(?:-mini)?-deep-research)/

/** Whether chat clients of the model have to be translated to Responses. */
export function isResponsesOnly(model: string): boolean {
  return RESPONSES_ONLY.test(model)
}
