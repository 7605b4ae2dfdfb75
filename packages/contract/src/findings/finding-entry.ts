import type { Severity } from '../doctor.ts'

/** What a finding says and advises; `{name}` stands for a parameter, `{subject}` for the subject. */
interface FindingTexts {
  readonly finding: string
  /** Absent if nothing has to be done. */
  readonly remedy?: string
}

/** A finding of the catalogue. Its id begins with the name of its check. */
export interface FindingEntry extends FindingTexts {
  readonly severity: Severity
  readonly chinese: FindingTexts
  /** Path in the console, with parameters as in the texts. */
  readonly link?: string
}
