import type { Severity } from '../doctor.ts'

/** `{name}` stands for a parameter, `{subject}` for the subject. */
interface FindingTexts {
  readonly finding: string
  /** Absent if nothing has to be done. */
  readonly remedy?: string
}

/** A finding's id begins with the name of its check. */
export interface FindingEntry extends FindingTexts {
  readonly severity: Severity
  readonly chinese: FindingTexts
  /** Console path, with parameters as in the texts. */
  readonly link?: string
}
