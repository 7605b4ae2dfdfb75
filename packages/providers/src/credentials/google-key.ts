import { PROJECT, REGION } from '../channel-fields/field-problem.ts'
import type { SetupProblem } from '../channel-setup.ts'

/** The key of a channel of type VertexAI, in its parts. */
export interface GoogleKey {
  readonly region: string
  readonly project: string
  /** Application default credentials, as JSON text. */
  readonly document: string
}

/** Reads `Region|ProjectID|credentials in JSON`, whose document can contain `|`. Region and project become parts of addresses. */
export function readGoogleKey(key: string): GoogleKey | SetupProblem {
  const [region = '', project = '', ...rest] = key
    .trim()
    .split('|')
    .map((part) => part.trim())
  if (rest.length === 0) return { problem: 'API key must have the form Region|ProjectID|credentials in JSON' }
  if (!REGION.test(region)) return { problem: 'API key must begin with a region such as us-central1' }
  if (!PROJECT.test(project)) return { problem: 'API key must contain a project id after the region' }
  return { region, project, document: rest.join('|') }
}
